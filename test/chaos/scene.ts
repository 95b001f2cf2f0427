import type { Socket } from 'node:net';
import type { Api, Fault, Phase } from './matrix.ts';

/** What the socket level needs to play a fault. */
export interface Scene {
  api: Api;
  fault: Fault;
  phase: Phase;
  elsewhere: string;
  /** The key as it came, in every header it came in: a careless service repeats it wherever it can. */
  key: string;
  stall(socket: Socket): void;
  goDown(): void;
}
