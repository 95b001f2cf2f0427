import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { JobState } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Protocols } from '../../src/shared/wire/protocols.ts';
import { clipOf } from '../helpers/clip.ts';
import { type FamilyServer, familyServer, HANG_UP } from '../helpers/gateway/familyServer.ts';
import type { ReceivedRequest } from '../helpers/gateway/rawServer.ts';
import { type Host, startHost } from '../helpers/host.ts';

/** SIGKILL at each step of a job in API formats other than the specification's: it is paid once, and its results are downloaded. */

const open: { stop?(): Promise<void>; close?(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of open.splice(0).reverse()) await (one.stop ?? one.close)?.call(one);
});

const CLIP = { kind: 'video', model: 'clip-1', prompt: 'A boat', config: { durationSeconds: 4 } } as StudioRequest;
const PICTURE = { kind: 'imagine', model: 'picture-1', prompt: 'A boat' } as StudioRequest;

/** Kills the program once the server has received the request, which it accepts and never answers. */
async function killedAt(
  protocols: Protocols,
  speaks: string,
  request: StudioRequest,
  isMeant: (one: ReceivedRequest) => boolean,
) {
  let host: Host | undefined;
  let dead: Promise<unknown> | undefined;
  let kill = () => {};
  const killed = new Promise<void>((resolve) => {
    kill = resolve;
  });
  const server: FamilyServer = await familyServer({
    speaks: [speaks],
    clip: await clipOf({ seconds: 4 }),
    instead(one) {
      if (!host || dead || !isMeant(one)) return undefined;
      dead = host.kill('SIGKILL');
      kill();
      return HANG_UP;
    },
  });
  open.push(server);
  host = await startHost();
  const models = [
    { id: 'clip-1', kind: 'video' as const },
    { id: 'picture-1', kind: 'image' as const },
  ];
  await host.ask('profiles.save', { id: 'relay', baseUrl: server.url, protocols, models });
  await host.ask('profiles.setKey', { id: 'relay', apiKey: 'sk-relay-0123456789' });
  await host.ask('profiles.activate', { id: 'relay' });
  const prices = [
    { kind: 'image' as const, model: 'picture-1', readings: [{ unit: 'image' as const, nano: 40_000_000 }] },
    { kind: 'video' as const, model: 'clip-1', readings: [{ unit: 'second' as const, nano: 100_000_000 }] },
  ];
  for (const price of prices) await host.ask('prices.set', { profileId: 'relay', price });
  const { jobs } = await host.ask('jobs.enqueue', { requests: [request] });
  await killed;
  await dead;
  const again = await host.restart();
  open.push(again);
  await again.ask('profiles.setKey', { id: 'relay', apiKey: 'sk-relay-0123456789' });
  const id = jobs[0]?.id ?? '';
  /** Waits for a job in this state. */
  const jobIn = async (state: JobState) => {
    for (;;) {
      const job = await again.ask('jobs.get', { id });
      if (job.state === state) return job;
      await wait(100);
    }
  };
  return { server, jobIn };
}

const isSubmit = ({ method }: ReceivedRequest) => method === 'POST';
const isPoll = ({ method, path }: ReceivedRequest) => method === 'GET' && /^\/v1\/videos?\/.*_\d+$/.test(path);
const isContent = ({ path }: ReceivedRequest) => /\/content|\/clip\.mp4/.test(path);
const FORMATS = ['openaiVideos', 'relayVideos', 'openRouterVideos'];

test.concurrent.each(
  FORMATS.flatMap(
    (video) =>
      [
        [video, 'asked about', isPoll],
        [video, 'fetched', isContent],
      ] as const,
  ),
)('a clip in %s, killed while it was %s, is made and charged once', async (video, _when, isMeant) => {
  const { server, jobIn } = await killedAt({ video }, video, CLIP, isMeant);
  expect(await jobIn('succeeded')).toMatchObject({
    money: { chargedNano: 400_000_000, reservedNano: 0 },
    outputs: [{ state: 'local' }],
  });
  expect(server.bill).toHaveLength(1);
});

test.concurrent.each([
  ...FORMATS.map((video) => [video, { video }, CLIP, 400_000_000] as const),
  ...['openaiImages', 'chatImages'].map((image) => [image, { image }, PICTURE, 40_000_000] as const),
])(
  'a request in %s, killed before its reply, is unconfirmed and not sent again',
  async (format, protocols, request, nano) => {
    const { server, jobIn } = await killedAt(protocols, format, request, isSubmit);
    expect((await jobIn('uncertain')).money).toMatchObject({ chargedNano: 0, uncertainNano: nano });
    expect(server.bill).toHaveLength(1);
  },
);
