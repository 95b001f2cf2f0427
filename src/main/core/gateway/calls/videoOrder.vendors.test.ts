import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, casesOf, told } from '../testing/cases.ts';
import { clientOf, SEND } from '../testing/client.ts';
import { mannerOf, play } from '../testing/played.ts';
import { type RawServer, rawServer } from '../testing/rawServer.ts';

/** What services of this family answer to a video order, each played in one of the manners of the wire. Nothing is sent twice. */
const ORDER = {
  model: 'video-standard',
  prompt: 'a storm, like https://mood.example/board.mp4',
  config: { durationSeconds: 4 },
  image: { uri: 'https://ours.example/first.png' },
} as const;

let server: RawServer;
let now: { one: Case; index: number };
beforeAll(async () => {
  server = await rawServer((_request, socket) => play(socket, mannerOf(now.index), now.one));
});
afterAll(() => server.close());

test.each(casesOf('video-submits').map((one, index) => [one.name, one, index] as const))(
  'video order: %s',
  async (_name, one, index) => {
    now = { one, index };
    const before = server.got.length;
    const outcome = told(await clientOf(server.url).gateway.submitVideo(ORDER, SEND), server.url);
    expect(outcome).toMatchObject(one.expect);
    if (one.expect.type === 'accepted') expect(outcome.pollPath).toBe(one.expect.pollPath);
    expect(server.got.length - before).toBe(1);
  },
);
