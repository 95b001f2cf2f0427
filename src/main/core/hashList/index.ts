export { c4OfHex } from './c4.ts';
export { evidenceText, verifyEvidence, verifyPath } from './verifyPath.ts';
export { hashListOf } from './writeHashList.ts';
