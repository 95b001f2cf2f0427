export { c4OfHex } from './c4.ts';
export { type FolderReport, verifyFolder } from './verifyFolder.ts';
export { HASH_LIST_FOLDER, hashListOf } from './writeHashList.ts';
