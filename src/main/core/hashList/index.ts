export type { HashOfFile } from './verifyFolder.ts';
export { evidenceText, verifyEvidence, verifyPath } from './verifyPath.ts';
export { c4OfHex, hashListOf } from './writeHashList.ts';
