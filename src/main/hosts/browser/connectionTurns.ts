import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/**
 * What a connection asks without waiting for its answers is answered one after the other, each in a turn of its own: thousands of requests
 * of one connection take no longer from the others than a few of each.
 */
export function inConnectionTurns(fetch: Fetch): (request: Request, env: HttpBindings) => Promise<Response> {
  const last = new WeakMap<Socket, Promise<unknown>>();
  return (request, env) => {
    const { socket } = env.incoming;
    const answer = answerAfter(last.get(socket), socket, async () => fetch(request, env));
    const over = answer
      .catch(() => undefined)
      .then(() => {
        if (last.get(socket) === over) last.delete(socket);
      });
    last.set(socket, over);
    return answer;
  };
}

async function answerAfter(
  before: Promise<unknown> | undefined,
  socket: Socket,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (before) {
    await before;
    await nextTurn();
  }
  // Nobody hears it any more.
  return socket.destroyed ? new Response(null, { status: 499 }) : answer();
}
