import { subscribe } from 'node:diagnostics_channel';

/** What this process has under way over HTTP, as undici tells it. */
const open = new Set<unknown>();
const requestOf = (message: unknown): unknown => (message as { request: unknown }).request;
subscribe('undici:request:create', (message) => void open.add(requestOf(message)));
for (const end of ['trailers', 'error']) {
  subscribe(`undici:request:${end}`, (message) => void open.delete(requestOf(message)));
}

export const requestsUnderWay = (): number => open.size;
