export type { CallInput, CallOutput } from '../../shared/contract/contract.ts';
export type { StudioEvent } from '../../shared/contract/events.ts';
export type { Result, StudioError } from '../../shared/contract/result.ts';
export type { SpendingCall } from '../../shared/contract/spendingCall.ts';
export {
  call,
  callLeaving,
  callWithKey,
  downloadUrl,
  dragByHost,
  exportUrl,
  host,
  mediaUrl,
  onEvent,
  onLink,
  type PlainCall,
  setTransport,
  uploadBundle,
  uploadMedia,
  whenLinked,
  writeFilm,
} from './client.ts';
export { keep, readKept } from './kept.ts';
export type { LinkState, Transport } from './transport.ts';
