export type { CallInput, CallName, CallOutput } from '../../shared/contract.ts';
export type { StudioEvent } from '../../shared/events.ts';
export type { Result, StudioError } from '../../shared/result.ts';
export {
  call,
  downloadUrl,
  host,
  mediaUrl,
  onEvent,
  onLink,
  setTransport,
  uploadMedia,
  whenLinked,
} from './client.ts';
export type { LinkState, Transport } from './transport.ts';
