import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { Host } from '../helpers/host.ts';
import type { OddGateway } from './oddGateway.ts';

type Events = Awaited<ReturnType<Host['events']>>;

/** What its places are called. */
export interface Filled {
  conversationId: string;
  /** A chat whose answer has an address in it. */
  linkedId: string;
  mismatchId: string;
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

/** Content after a first session: a film with a take, a picture, a chat, a refused job, a waiting job, a budget. */
export async function fillStudio(host: Host, odd: OddGateway): Promise<Filled> {
  const { id: projectId } = await host.ask('projects.create', { name: 'Harbour' });
  await host.ask('settings.set', { welcomed: true, projectId });
  const board = await host.ask('storyboard.get', { projectId });
  const shot = {
    id: 's1',
    title: 'Arrival',
    prompt: clip.prompt,
    model: clip.model,
    config: { durationSeconds: 4 as const },
  };
  await host.ask('storyboard.save', { ...board, shots: [shot, { ...shot, id: 's2', source: 'first' as const }] });
  const events = await host.events();
  const ended = (id: string) => events.next('job.changed', ({ job }) => job.id === id && job.finishedAt !== undefined);
  const take = await host.ask('storyboard.makeTake', { projectId, shotId: 's1' });
  await ended(take.job.id);
  // Two takes are what an audition needs.
  const other = await host.ask('storyboard.makeTake', { projectId, shotId: 's1' });
  await ended(other.job.id);
  await host.ask('jobs.judge', { id: take.job.id, verdict: 'keep' });
  const facts = { endsAt: Date.now() + 60 * 86_400_000, last: false };
  await host.ask('models.set', { model: clip.model, facts });
  // One that was made and removed: it is in the bin.
  const { revision, shots } = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', {
    projectId,
    revision,
    shots: [...shots, { ...shot, id: 's3', title: 'Left out' }],
  });
  await host.ask('storyboard.save', { projectId, revision: revision + 1, shots });
  const { jobs } = await host.ask('jobs.enqueue', {
    requests: [{ kind: 'imagine', prompt: 'Salt flat at noon', mode: 'turbo' }],
    projectId,
  });
  await ended(jobs[0]?.id ?? '');
  const { conversationId } = await host.ask('chat.create', {});
  const said = await host.ask('chat.send', { conversationId, text: 'Say **something** with a table' });
  await ended(said.jobId);
  const mismatchId = await fillOdd(host, odd, events);
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
  const assetId = (await host.ask('library.list', { limit: 1 })).assets[0]?.id ?? '';
  const { conversationId: linkedId } = await host.ask('chat.import', { json: JSON.stringify(LINKED) });
  return { conversationId, linkedId, mismatchId, assetId };
}

/** Open cases of a gateway: a request in doubt, and a mismatched price with one chat waiting for it. */
async function fillOdd(host: Host, odd: OddGateway, events: Events): Promise<string> {
  await host.ask('profiles.save', {
    id: 'odd',
    name: 'Odd gateway',
    baseUrl: odd.baseUrl,
    extraHeaders: { 'X-Team': 'a' },
  });
  await host.ask('profiles.setKey', { id: 'odd', apiKey: 'sk-0123456789abcdef' });
  await host.ask('profiles.activate', { id: 'odd' });
  const chat = {
    kind: 'chat' as const,
    model: 'language',
    messages: [{ role: 'user' as const, content: 'Hello' }],
    stream: false,
  } satisfies StudioRequest;
  const stopped = events.next('mismatch.changed');
  await host.ask('jobs.enqueue', { requests: [chat] });
  const mismatchId = (await stopped).mismatch.id;
  const lost = events.next('job.changed', ({ job }) => job.state === 'uncertain');
  await host.ask('jobs.enqueue', { requests: [chat, { ...clip, prompt: 'Lost on the way' }] });
  await lost;
  await host.ask('profiles.activate', { id: 'sandbox' });
  return mismatchId;
}
