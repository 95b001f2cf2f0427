export { evidenceText, type HashOfFile, verifyEvidence, verifyPath } from './verifyPath.ts';
export { c4OfHex, hashListOf } from './writeHashList.ts';
