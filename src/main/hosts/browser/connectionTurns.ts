import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** Answers the pipelined requests of one connection one by one, so that thousands of them do not delay other connections. */
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
  return socket.destroyed ? new Response(null, { status: 499 }) : answer();
}
