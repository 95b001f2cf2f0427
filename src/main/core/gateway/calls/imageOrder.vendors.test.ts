import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, casesOf, told } from '../testing/cases.ts';
import { clientOf, SEND } from '../testing/client.ts';
import { mannerOf, play } from '../testing/played.ts';
import { type RawServer, rawServer } from '../testing/rawServer.ts';
import type { RemoteTask } from '../types.ts';

/** What image services of this family answer to an order and to a fetch, each played in one of the manners of the wire. */
const HOOK = 'http://127.0.0.1:9/hooks/j/s';
const REF = 'https://ours.example/ref.png';
const ORDER = { prompt: `${REF} a hill --v 7`, mode: 'fast', hookUrl: HOOK } as const;
const TASK: RemoteTask = { id: '3f2a-77', kind: 'image', acceptedAt: 0, ownUris: [REF, HOOK] };

let server: RawServer;
let now: { one: Case; index: number };
beforeAll(async () => {
  server = await rawServer((_request, socket) => play(socket, mannerOf(now.index), now.one));
});
afterAll(() => server.close());

const numbered = (file: string) => casesOf(file).map((one, index) => [one.name, one, index] as const);

test.each(numbered('image-submits'))('image order: %s', async (_name, one, index) => {
  now = { one, index };
  const before = server.got.length;
  const outcome = told(await clientOf(server.url).gateway.submitImagine(ORDER, SEND), server.url);
  expect(outcome).toMatchObject(one.expect);
  if (one.expect.type === 'accepted') expect(outcome.pollPath).toBe(one.expect.pollPath);
  // Another spelling of the key header is tried on a 403 only, and then the order was definitely not taken.
  if (one.status !== 403) expect(server.got.length - before).toBe(1);
});

test.each(numbered('image-polls'))('image poll: %s', async (_name, one, index) => {
  now = { one, index };
  const outcome = told(await clientOf(server.url).gateway.poll(TASK), server.url);
  expect(outcome).toMatchObject(one.expect);
  expect(outcome.progress).toBe(one.expect.progress);
});
