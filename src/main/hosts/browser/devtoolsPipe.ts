import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/**
 * The Chrome DevTools Protocol over a browser's file descriptors 3 and 4 (`--remote-debugging-pipe`): nothing of it is on a command line,
 * no other program can connect, and the browser ends with this process, however that ends.
 */

export const PIPE_FLAG = '--remote-debugging-pipe';
export const PIPES = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;

/** Longer messages are of no use here. */
const MAX_MESSAGE_BYTES = 1_000_000;

export interface DevtoolsPipe {
  /** Sends a command, terminated by a zero byte. */
  send(id: number, method: string, params?: Record<string, unknown>, sessionId?: string): void;
}

interface Message {
  id?: number;
  error?: unknown;
  method?: string;
  params?: { targetInfo?: { targetId?: string; type?: string } };
  result?: { sessionId?: string };
}

/** A browser that died closes the pipe; its end is reported by the process. */
export function devtoolsPipe(child: ChildProcess): DevtoolsPipe {
  const commands = child.stdio[3] as Writable;
  commands.on('error', () => {});
  return {
    send: (id, method, params = {}, sessionId) =>
      void commands.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`),
  };
}

/** Leads the first page of the browser to an address, which is asked for once the page is there. `onFailed` where it cannot be. */
export function leadFirstPage(child: ChildProcess, address: () => string, onFailed: () => void): void {
  const pipe = devtoolsPipe(child);
  let isFound = false;
  eachMessage(child.stdio[4] as Readable, ({ id, error, method, params, result }) => {
    if (error !== undefined) return onFailed();
    const { targetId, type } = params?.targetInfo ?? {};
    if (method === 'Target.targetCreated' && type === 'page' && !isFound) {
      isFound = true;
      pipe.send(2, 'Target.attachToTarget', { targetId, flatten: true });
    }
    if (id === 2) pipe.send(3, 'Page.navigate', { url: address() }, result?.sessionId);
  });
  pipe.send(1, 'Target.setDiscoverTargets', { discover: true });
}

function eachMessage(answers: Readable, take: (message: Message) => void): void {
  let held: Buffer[] = [];
  let bytes = 0;
  answers.on('error', () => {});
  answers.on('data', (piece: Buffer) => {
    let from = 0;
    for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, from)) {
      const message = Buffer.concat([...held, piece.subarray(from, end)]).toString('utf8');
      if (bytes <= MAX_MESSAGE_BYTES) take(JSON.parse(message) as Message);
      [held, bytes, from] = [[], 0, end + 1];
    }
    bytes += piece.length - from;
    if (bytes <= MAX_MESSAGE_BYTES) held.push(piece.subarray(from));
    else held = [];
  });
}
