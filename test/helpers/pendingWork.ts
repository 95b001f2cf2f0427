import { subscribe } from 'node:diagnostics_channel';
import type { Server, Socket } from 'node:net';
import { busyThreads } from './threads.ts';

/**
 * Pending work of this process, as Node reports it instead of a clock: disk and resolver calls, connections being made, work deferred to
 * the end of a turn, bytes between two sockets of this process, and work of other threads (`threads.ts`). Silence is not pending: timers,
 * servers that do not answer and readers that have stopped do not count. Of other processes only one thing is seen: that an answer is
 * missing.
 */

/** Kernel requests that end by themselves, as named by `process.getActiveResourcesInfo`. */
const REQUESTS = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'CloseReq',
  'ConnectWrap',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
  // A busy child process; idle ones do not count.
  'ProcessWrap',
]);
const PUT_OFF = 'Immediate';

/** One end of a connection; its ports are remembered, since a closed socket forgets them. */
interface End {
  socket: Socket;
  port: number;
  far: number;
}

/** Keyed by ports, so that the other end is found under the reversed pair. */
const ends = new Map<string, End>();
/** Ports on which this process listens. */
const listening = new Set<number>();

const keyOf = (port: number, far: number): string => `${port} ${far}`;
const otherEnd = ({ port, far }: End): Socket | undefined => ends.get(keyOf(far, port))?.socket;

function follow(socket: Socket): void {
  const { localPort: port, remotePort: far } = socket;
  if (port === undefined || far === undefined) return;
  const end = { socket, port, far };
  ends.set(keyOf(port, far), end);
  socket.once('close', () => forget(end));
}

/** Drops both ends together: the remaining one must still learn that the other has closed. */
function forget(end: End): void {
  const { port, far } = end;
  if (ends.get(keyOf(port, far)) !== end || otherEnd(end)?.closed === false) return;
  ends.delete(keyOf(port, far));
  ends.delete(keyOf(far, port));
}

subscribe('net.server.socket', (message) => follow((message as { socket: Socket }).socket));
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => follow(socket));
});
subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  const { server } = message as { server: Server };
  const address = server.address();
  if (typeof address !== 'object' || !address) return;
  listening.add(address.port);
  server.once('close', () => listening.delete(address.port));
});

/** Whether data, or the closing, of one end has yet to arrive at the other. */
function isComing(from: Socket, to: Socket): boolean {
  const left = from.destroyed || from.writableEnded;
  if (left && to.readableLength === 0) return !to.readableEnded;
  return !left && from.bytesWritten > to.bytesRead && to.readableLength < to.readableHighWaterMark;
}

function isBusy({ socket, port, far }: End, other: Socket | undefined): boolean {
  if (socket.destroyed) return false;
  // The other end is unknown: the connection exists, but a server of this process has yet to accept it.
  return other ? isComing(other, socket) : listening.has(far) && !listening.has(port);
}

const busySockets = (): string[] =>
  [...ends.values()].filter((end) => isBusy(end, otherEnd(end))).map(({ port, far }) => `port ${far} to ${port}`);

/** The pending work, described for an error message; `ownTurns` immediates belong to the caller. */
export function pendingWork(ownTurns: number): string[] {
  const active = process.getActiveResourcesInfo();
  const putOff = active.filter((name) => name === PUT_OFF).length - ownTurns;
  return [
    ...active.filter((name) => REQUESTS.has(name)),
    ...(putOff > 0 ? [`${putOff} × ${PUT_OFF}`] : []),
    ...busySockets(),
    ...busyThreads(),
  ];
}
