import type { Socket } from 'node:net';
import type { Api, Fault, Phase } from './matrix.ts';

/** What the sockets need to inject a fault. */
export interface FaultContext {
  api: Api;
  fault: Fault;
  phase: Phase;
  elsewhere: string;
  /** The received key. A bad gateway repeats it wherever it can. */
  key: string;
  stall(socket: Socket): void;
  goDown(): void;
}
