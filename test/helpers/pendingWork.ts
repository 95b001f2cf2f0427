import { subscribe } from 'node:diagnostics_channel';
import type { Server, Socket } from 'node:net';
import { busyThreads } from './threads.ts';

/**
 * What this process has really under way, asked of Node itself and not of a clock: calls to the disk and the resolver, connections
 * being made, work put off to the end of a turn, bytes between two sockets that are both here, and what other threads were given to do
 * (`threads.ts`). Silence is not under way: a server that does not answer, a reader that takes nothing more and a timer keep nobody
 * waiting. What another process does is not seen, only that a process which is waited for has not answered.
 */

/** Requests to the kernel as `process.getActiveResourcesInfo` names them. Each of them ends by itself. */
const REQUESTS = new Set([
  'FSReqCallback',
  'FSReqPromise',
  'CloseReq',
  'ConnectWrap',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
  // A process that has a file to read; one that waits for work is not counted.
  'ProcessWrap',
]);
const PUT_OFF = 'Immediate';

/** One end of a connection; its ports are remembered, since a closed socket has forgotten them. */
interface End {
  socket: Socket;
  port: number;
  far: number;
}

/** By its ports, so that the other end is found by the same two the other way round. */
const ends = new Map<string, End>();
/** Ports at which this process takes connections. */
const listening = new Set<number>();

/** How many ends of connections are followed now; both of a closed connection are forgotten. */
export const trackedSocketEnds = (): number => ends.size;

const keyOf = (port: number, far: number): string => `${port} ${far}`;
const otherEnd = ({ port, far }: End): Socket | undefined => ends.get(keyOf(far, port))?.socket;

function follow(socket: Socket): void {
  const { localPort: port, remotePort: far } = socket;
  if (port === undefined || far === undefined) return;
  const end = { socket, port, far };
  ends.set(keyOf(port, far), end);
  socket.once('close', () => forget(end));
}

/** A pair is forgotten together: the one that lives on has still to hear that the other has left. */
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

/** Whether something that one end said, or its leaving, has still to come to the other one. */
function isComing(from: Socket, to: Socket): boolean {
  const left = from.destroyed || from.writableEnded;
  if (left && to.readableLength === 0) return !to.readableEnded;
  return !left && from.bytesWritten > to.bytesRead && to.readableLength < to.readableHighWaterMark;
}

function isBusy({ socket, port, far }: End, other: Socket | undefined): boolean {
  if (socket.destroyed) return false;
  // Without another end here: it is connected, and a server of this process has still to take it in.
  return other ? isComing(other, socket) : listening.has(far) && !listening.has(port);
}

const busySockets = (): string[] =>
  [...ends.values()].filter((end) => isBusy(end, otherEnd(end))).map(({ port, far }) => `port ${far} to ${port}`);

/** What is under way now, in words for an error; `ownTurns`: so many of the immediates are the asker's. */
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
