export { c4OfHex } from './c4.ts';
export { type FolderReport, verifyFolder } from './verifyFolder.ts';
export { hashListOf } from './writeHashList.ts';
