import type { Result } from '../../src/shared/contract/result.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import type { Host } from '../helpers/host.ts';
import { testPng } from '../helpers/png.ts';
import type { OddGateway } from './oddGateway.ts';
import { toneTrack } from './parts/tones.ts';

type Events = Awaited<ReturnType<Host['events']>>;

export interface Filled {
  conversationId: string;
  /** A chat whose answer has an address in it. */
  linkedId: string;
  /** A chat with drafts. */
  draftsId: string;
  /** A picture that was made. */
  assetId: string;
}

const clip = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay at night',
  config: { durationSeconds: 4 },
} as const satisfies StudioRequest;

const of = { branch: 'b', createdAt: 1 };
const LINKED = {
  ...{ dailies: 'chat', form: 1, title: 'Tides', createdAt: 1, active: 'b', branches: [{ id: 'b', createdAt: 1 }] },
  messages: [
    { ...of, id: 'm1', role: 'user', text: 'When is the tide?' },
    { ...of, id: 'm2', after: 'm1', role: 'assistant', text: 'See [the tide table](https://example.org/tides).' },
  ],
};

const shot = {
  id: 's1',
  title: 'Arrival',
  prompt: clip.prompt,
  model: clip.model,
  config: { durationSeconds: 4, generateAudio: true },
} as const;

/**
 * Makes a film: a shot with two takes, one without, one with its cast, and one with a broken link to that. A take was removed. The library
 * has a sound.
 */
export async function fillFilm(host: Host): Promise<string> {
  const { id: projectId } = await host.ask('projects.create', { name: 'Harbour' });
  await host.ask('settings.set', { welcomed: true, projectId });
  const sheet = await upload(host, 'sheet.png', testPng(320, 180, 0));
  await upload(host, 'harbour.wav', toneTrack({ seconds: 20, db: -20 }));
  const pier = { ...shot, id: 's3', title: 'On the pier', prompt: '@Ines on the pier', source: 'references' as const };
  const flat = { ...shot, id: 's4', title: 'Noon', prompt: 'A salt flat at noon' };
  const board = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', {
    ...board,
    shots: [shot, { ...shot, id: 's2', source: 'first' }, pier, flat],
    cast: [{ id: 'ines', name: 'Ines', words: 'woman of 30, hair up', sheets: [{ assetId: sheet }] }],
  });
  const events = await host.events();
  const takes: string[] = [];
  // A review needs two takes of one shot, a continuity check two consecutive shots with a take.
  for (const shotId of ['s1', 's1', 's3', 's4'])
    takes.push((await host.ask('storyboard.makeTake', { projectId, shotId })).job.id);
  await Promise.all(
    takes.map((id) => events.next('job.changed', ({ job }) => job.id === id && job.finishedAt !== undefined)),
  );
  await events.close();
  await host.ask('jobs.judge', { id: takes[0] ?? '', verdict: 'keep' });
  // The removed take is in the bin. The last take was made before its link was set.
  const now = await host.ask('storyboard.get', { projectId });
  const left = { ...shot, id: 's5', title: 'Left out' };
  await host.ask('storyboard.save', { ...now, shots: [...now.shots, left] });
  const joined = now.shots.map((one) => (one.id === 's4' ? { ...one, joint: 'continue' as const } : one));
  await host.ask('storyboard.save', { ...now, revision: now.revision + 1, shots: joined });
  return projectId;
}

/** Stores a file in the library; answers its id. */
async function upload(host: Host, name: string, bytes: Uint8Array): Promise<string> {
  const stored = await host.request(`/media?name=${name}&role=source`, { method: 'PUT', body: new Uint8Array(bytes) });
  const answer = (await stored.json()) as Result<Asset>;
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data.id;
}

/** Content after a first session: a film, a picture, a chat, a refused job, a queued job, a budget. */
export async function fillStudio(host: Host, odd: OddGateway): Promise<Filled> {
  const projectId = await fillFilm(host);
  const events = await host.events();
  const ended = (id: string) => events.next('job.changed', ({ job }) => job.id === id && job.finishedAt !== undefined);
  const facts = { endsAt: Date.now() + 60 * 86_400_000, last: false };
  await host.ask('models.set', { model: clip.model, facts });
  const { jobs } = await host.ask('jobs.enqueue', {
    requests: [{ kind: 'imagine', prompt: 'Salt flat at noon', mode: 'turbo' }],
    projectId,
  });
  const { job: picture } = await ended(jobs[0]?.id ?? '');
  const { conversationId: draftsId } = await host.ask('chat.create', { projectId });
  const text = 'Five shots of a lamp on a quay, the third 5 s, and two posters.';
  await ended((await host.ask('chat.send', { conversationId: draftsId, text })).jobId);
  const { conversationId } = await host.ask('chat.create', {});
  const said = await host.ask('chat.send', { conversationId, text: 'Say **something** with a table' });
  await ended(said.jobId);
  await fillOdd(host, odd, events);
  await events.close();
  await host.ask('queue.pause');
  const { jobs: waiting } = await host.ask('jobs.enqueue', {
    requests: [clip, { ...clip, prompt: 'The same at dawn' }, { ...clip, prompt: 'Called off' }],
  });
  await host.ask('jobs.enqueue', {
    requests: [{ ...clip, prompt: 'From its last frame', image: { jobId: waiting[0]?.id ?? '', frame: 'last' } }],
  });
  await host.ask('jobs.cancel', { id: waiting[2]?.id ?? '' });
  await host.ask('budgets.set', { scope: 'day', hardNano: 50_000_000_000 });
  const { conversationId: linkedId } = await host.ask('chat.import', { json: JSON.stringify(LINKED) });
  return { conversationId, linkedId, draftsId, assetId: picture.outputs[0]?.id ?? '' };
}

/** Open cases of a gateway: an unconfirmed request, and a price mismatch with one chat waiting for it. */
async function fillOdd(host: Host, odd: OddGateway, events: Events): Promise<void> {
  await host.ask('profiles.save', {
    id: 'odd',
    name: 'Odd gateway',
    baseUrl: odd.baseUrl,
    extraHeaders: { 'X-Team': 'a' },
  });
  await host.ask('profiles.setKey', { id: 'odd', apiKey: 'sk-0123456789abcdef' });
  await host.ask('settings.set', { realMoney: { odd: new URL(odd.baseUrl).origin } });
  await host.ask('profiles.activate', { id: 'odd' });
  const chat = {
    kind: 'chat' as const,
    model: 'language',
    messages: [{ role: 'user' as const, content: 'Hello' }],
    stream: false,
  } satisfies StudioRequest;
  const stopped = events.next('mismatch.changed');
  await host.ask('jobs.enqueue', { requests: [chat] });
  await stopped;
  const lost = events.next('job.changed', ({ job }) => job.state === 'uncertain');
  await host.ask('jobs.enqueue', { requests: [chat, { ...clip, prompt: 'Lost on the way' }] });
  await lost;
  await host.ask('profiles.activate', { id: 'sandbox' });
}
