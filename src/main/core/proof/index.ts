export { sha256 } from './sha256.ts';
export { faultsOfChain, sealed, verifyEvidence } from './verifyEvidence.ts';
export { verifyPath } from './verifyPath.ts';
