export { prove } from './proofThread.ts';
export { sha256 } from './sha256.ts';
export { faultsOfChain, isShownWhole, sealed, verifyEvidence } from './verifyEvidence.ts';
export { verifyPath } from './verifyPath.ts';
