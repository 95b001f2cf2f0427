import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, casesOf, told } from '../testing/cases.ts';
import { clientOf } from '../testing/client.ts';
import { mannerOf, play } from '../testing/played.ts';
import { type RawServer, rawServer, reply } from '../testing/rawServer.ts';

/** What services of this family answer when they are asked how a video is doing, each played in one of the manners of the wire. */
const ID = 'task_8f31c2';
const OWN = ['https://ours.example/first.png', 'https://ours.example/clip.mp4'];
const LONG = '98765432109876543210';

let server: RawServer;
let now: { one: Case; index: number };
beforeAll(async () => {
  server = await rawServer((request, socket) => {
    if (request.path === `/v1/videos/${ID}`) play(socket, mannerOf(now.index), now.one);
    else socket.write(reply(404, { error: { message: 'Not found' } }));
  });
});
afterAll(() => server.close());

test.each(casesOf('video-polls').map((one, index) => [one.name, one, index] as const))(
  'video poll: %s',
  async (_name, one, index) => {
    now = { one, index };
    const id = typeof one.body === 'string' && one.body.includes(LONG) ? LONG : ID;
    const task = { id, kind: 'video', acceptedAt: 0, ownUris: OWN, pollPath: `/v1/videos/${ID}` } as const;
    const outcome = told(await clientOf(server.url).gateway.poll(task), server.url);
    expect(outcome).toMatchObject(one.expect);
    expect(outcome.progress).toBe(one.expect.progress);
  },
);
