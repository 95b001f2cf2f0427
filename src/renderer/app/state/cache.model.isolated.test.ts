// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Conversation, Message } from '../../../shared/chat/conversation.ts';
import type { QueueStatus } from '../../../shared/contract/events.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { type StudioEvent, setTransport } from '../../client/index.ts';
import { patchThreads, readThread, useChat } from '../../features/chat/state.ts';
import { aTransport } from '../../testing/aTransport.ts';
import {
  cacheAssets,
  cacheConversations,
  cacheJobs,
  markEntitiesStale,
  patchEntities,
  useEntities,
} from './entities.ts';
import { patchStudio, takeQueue, useStudio } from './studio.ts';

/**
 * Answers and events reach the caches in any order, twice or never. Once all have arrived, a page has the studio's state; on the way
 * nothing cached becomes older.
 */

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 0));
  useEntities.setState({ jobs: new Map(), assets: new Map(), conversations: new Map() });
  useStudio.setState({ queue: undefined });
  useChat.setState({ threads: new Map() });
});
afterEach(() => {
  vi.useRealTimers();
});

const STATES = ['queued', 'sending', 'running', 'fetching', 'succeeded'] as const;

/** The studio's state. A change raises the revisions of everything that shows it, like the triggers of the tables. */
class Truth {
  jobs: Job[] = [0, 1, 2].map(
    (n) => ({ id: `j${n}`, revision: 1, state: 'queued', outputs: [asset(n)] }) as unknown as Job,
  );
  queue = { revision: 1, running: 0 } as QueueStatus;
  conversations = [0, 1, 2].map((n) => ({ id: `c${n}`, revision: 1, messageCount: 0 }) as Conversation);

  /** The event has no content: a page reads the conversation then. */
  changeConversation(n: number, to: number): void {
    this.conversations = this.conversations.map((old, index) =>
      index === n % 3 ? { ...old, revision: old.revision + 1, messageCount: to } : old,
    );
  }

  changeJob(n: number, to: number): StudioEvent[] {
    const job = this.job(n);
    this.put({ ...job, revision: job.revision + 1, state: STATES[to % STATES.length] ?? 'queued' });
    this.queue = { ...this.queue, revision: this.queue.revision + 1, running: to };
    return [
      { type: 'job.changed', job: this.job(n) },
      { type: 'queue.changed', status: this.queue },
    ];
  }

  /** An asset has its own event; its job, which shows it, has none. */
  changeAsset(n: number, to: number): StudioEvent[] {
    const job = this.job(n);
    const outputs = job.outputs.map((output) => ({ ...output, revision: output.revision + 1, bytes: to }));
    this.put({ ...job, revision: job.revision + 1, outputs });
    return outputs.map((output) => ({ type: 'asset.changed', asset: output }));
  }

  private job(n: number): Job {
    const job = this.jobs[n % this.jobs.length];
    if (!job) throw new Error('no such job');
    return job;
  }

  private put(job: Job): void {
    this.jobs = this.jobs.map((old) => (old.id === job.id ? job : old));
  }
}

const asset = (n: number) => ({ id: `a${n}`, jobId: `j${n}`, revision: 1, bytes: 0 }) as Asset;

const step = fc.record({
  kind: fc.constantFrom('job', 'asset', 'chat', 'list', 'assets', 'status', 'arrive', 'arrive', 'twice', 'lose'),
  n: fc.nat(50),
  to: fc.nat(50),
});

function deliver(event: StudioEvent): void {
  patchEntities(event);
  patchStudio(event);
}

/** The cached state after the changes of one task. */
const kept = () => {
  vi.runAllTimers();
  const { jobs, assets, conversations } = useEntities.getState();
  const shown = [...jobs.values()].map(({ id, state, outputs }) => ({ id, state, bytes: outputs[0]?.bytes }));
  return {
    jobs: shown.sort((a, b) => a.id.localeCompare(b.id)),
    assets: [...assets.values()].map(({ id, bytes }) => ({ id, bytes })).sort((a, b) => a.id.localeCompare(b.id)),
    running: useStudio.getState().queue?.running,
    chats: [...conversations.values()]
      .map(({ id, messageCount }) => ({ id, messageCount }))
      .sort((a, b) => a.id.localeCompare(b.id)),
  };
};

const held = (truth: Truth) => ({
  jobs: truth.jobs.map(({ id, state, outputs }) => ({ id, state, bytes: outputs[0]?.bytes })),
  assets: truth.jobs.flatMap(({ outputs }) => outputs.map(({ id, bytes }) => ({ id, bytes }))),
  running: truth.queue.running,
  chats: truth.conversations.map(({ id, messageCount }) => ({ id, messageCount })),
});

const revisions = () => {
  const { jobs, assets, conversations } = useEntities.getState();
  const things = [...jobs, ...assets, ...conversations].map(([id, { revision }]): [string, number] => [id, revision]);
  return new Map([...things, ['queue', useStudio.getState().queue?.revision ?? 0] as [string, number]]);
};

test('jobs, assets, conversations and the queue’s figures: whatever comes in whatever order, in the end the cache is the truth', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(fc.nat(1_000), { maxLength: 200 }), (steps, order) => {
      useEntities.setState({ jobs: new Map(), assets: new Map(), conversations: new Map() });
      useStudio.setState({ queue: undefined });
      const truth = new Truth();
      const onTheWay: (() => void)[] = [];
      const readChats = () => {
        const { conversations } = truth;
        onTheWay.push(() => cacheConversations(conversations));
      };
      const answer = () => {
        const { jobs, queue } = truth;
        onTheWay.push(() => cacheJobs(jobs));
        onTheWay.push(() => takeQueue(queue));
        readChats();
      };
      let isLossy = false;
      answer();
      const arrive = (at: number) => {
        const before = revisions();
        onTheWay.splice(at % Math.max(1, onTheWay.length), 1)[0]?.();
        for (const [id, revision] of revisions()) expect(revision).toBeGreaterThanOrEqual(before.get(id) ?? 0);
      };
      for (const { kind, n, to } of steps) {
        const events = kind === 'job' ? truth.changeJob(n, to) : kind === 'asset' ? truth.changeAsset(n, to) : [];
        onTheWay.push(...events.map((event) => () => deliver(event)));
        if (kind === 'list') answer();
        if (kind === 'chat') {
          truth.changeConversation(n, to);
          onTheWay.push(readChats);
        }
        const { jobs, queue } = truth;
        if (kind === 'assets') onTheWay.push(() => cacheAssets(jobs.flatMap(({ outputs }) => outputs)));
        if (kind === 'status') onTheWay.push(() => takeQueue(queue));
        if (kind === 'arrive') arrive(n);
        const again = onTheWay[n % Math.max(1, onTheWay.length)];
        if (kind === 'twice' && again) onTheWay.push(again);
        if (kind === 'lose') isLossy = onTheWay.splice(n % Math.max(1, onTheWay.length), 1).length > 0 || isLossy;
      }
      // Lost events are made up for by reading again when the studio is back.
      if (isLossy) answer();
      for (const at of order) arrive(at);
      while (onTheWay.length > 0) arrive(0);
      expect(kept()).toEqual(held(truth));
    }),
    { numRuns: Number(process.env.CACHE_RUNS ?? 500) },
  );
});

test('a studio that comes back with an older database is believed, and goes on from there', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const truth = new Truth();
  const old = truth.jobs;
  // The last of these are still pending when the studio comes back.
  for (let n = 0; n < 6; n++) for (const event of truth.changeJob(n, n)) deliver(event);
  markEntitiesStale();
  truth.jobs = old;
  cacheJobs(old);
  for (const event of truth.changeJob(1, 3)) patchEntities(event);
  cacheJobs(old);
  expect(kept().jobs).toEqual(held(truth).jobs);
});

const MESSAGE_STATES: readonly Message['state'][] = ['waiting', 'streaming', 'done'];

/** A pending answer. */
const waiting = (id: string, conversationId: string) =>
  ({ id, conversationId, revision: 1, branch: 'b', role: 'assistant', text: '', state: 'waiting' }) as Message;

const chatStep = fc.record({
  kind: fc.constantFrom('change', 'add', 'read', 'arrive', 'arrive', 'twice'),
  n: fc.nat(50),
});

test('a chat: whatever comes in whatever order, in the end the thread is the conversation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chatStep, { maxLength: 40 }), async (steps) => {
      let conversation = { id: 'c', revision: 1, messageCount: 0 } as Conversation;
      let messages: Message[] = [];
      let onTheWay: (() => void)[] = [];
      useChat.setState({ threads: new Map([['c', { messages: [] }]]) });
      const call = () => {
        const answer = ok({ conversation, branch: 'b', branches: [], variants: [], messages });
        return new Promise<Result<unknown>>((done) => onTheWay.push(() => done(answer)));
      };
      setTransport(aTransport({ call }));
      const tell = (event: StudioEvent) => onTheWay.push(() => patchThreads(event));
      const turn = () => new Promise<void>((done) => setImmediate(done));
      for (const [at, { kind, n }] of steps.entries()) {
        const old = messages[n % Math.max(1, messages.length)];
        if (kind === 'change' && old && old.state !== 'done') {
          const state = MESSAGE_STATES[MESSAGE_STATES.indexOf(old.state) + 1] ?? 'done';
          const next = { ...old, revision: old.revision + 1, state, text: `${old.text}.` };
          messages = messages.map((message) => (message === old ? next : message));
          tell({ type: 'message.changed', message: next });
        }
        if (kind === 'add') {
          const id = `m${String(at).padStart(3, '0')}`;
          messages = [...messages, waiting(id, 'c')];
          conversation = { ...conversation, revision: conversation.revision + 1, messageCount: messages.length };
          tell({ type: 'conversation.changed', conversationId: 'c' });
        }
        if (kind === 'read') void readThread('c');
        if (kind === 'arrive') onTheWay.splice(n % Math.max(1, onTheWay.length), 1)[0]?.();
        const again = onTheWay[n % Math.max(1, onTheWay.length)];
        if (kind === 'twice' && again) onTheWay.push(again);
        await turn();
      }
      for (let left = 0; onTheWay.length > 0 && left < 500; left++) {
        const now = onTheWay;
        onTheWay = [];
        for (const arrive of now.toReversed()) arrive();
        await turn();
      }
      const thread = useChat.getState().threads.get('c');
      const shown = thread?.messages.map(({ id, state, revision }) => ({ id, state, revision }));
      expect(shown).toEqual(messages.map(({ id, state, revision }) => ({ id, state, revision })));
    }),
    {
      numRuns: 60,
      // A change of the message overtakes the first reading.
      examples: [[['add', 'arrive', 'change'].map((kind) => ({ kind: kind as 'add', n: 0 }))]],
    },
  );
});

test('a chat that is read for the first time misses nothing that is told meanwhile', async () => {
  useChat.setState({ threads: new Map() });
  const old = waiting('m', 'n');
  let answer: () => void = () => undefined;
  const call = () =>
    new Promise<Result<unknown>>((done) => {
      const conversation = { id: 'n', revision: 1 };
      answer = () => done(ok({ conversation, branch: 'b', branches: [], variants: [], messages: [old] }));
    });
  setTransport(aTransport({ call }));
  const read = readThread('n');
  patchThreads({ type: 'message.changed', message: { ...old, revision: 2, state: 'done', text: 'Said.' } });
  answer();
  await read;
  expect(useChat.getState().threads.get('n')?.messages).toMatchObject([{ revision: 2, text: 'Said.' }]);
});
