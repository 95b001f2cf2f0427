import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallInput, type CallName, type CallOutput, contract } from '../../src/shared/contract/contract.ts';
import type { SpendingCall } from '../../src/shared/contract/spendingCall.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';

/** Every call that can spend or charge, each prepared so that it can be made. The queue is paused, so nothing is sent. */

/** A studio in this process or another. */
export interface SpendingStudio {
  ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  /** The base URL of {@link startStatingService}. */
  service: string;
  /** Waits until the condition holds. */
  until(holds: () => Promise<boolean>): Promise<void>;
}

/** The input of a call, and the same input with one change. */
interface Prepared<Name extends CallName> {
  input: CallInput<Name>;
  other: CallInput<Name>;
}

const image = { kind: 'imagine', prompt: 'A quay' } as const;

const firstOf = ([job]: readonly Job[]): Job => {
  if (!job) throw new Error('no job');
  return job;
};

async function queued({ ask }: SpendingStudio): Promise<Job> {
  return firstOf((await ask('jobs.enqueue', { requests: [image] })).jobs);
}

async function canceled(studio: SpendingStudio): Promise<Job> {
  return studio.ask('jobs.cancel', { id: (await queued(studio)).id });
}

const chat = (content: string): StudioRequest => ({
  kind: 'chat',
  model: 'language',
  messages: [{ role: 'user', content }],
  stream: false,
});

/** Sends a request: the queue runs only until the job has the state. */
const sent = (studio: SpendingStudio, request: StudioRequest, state: Job['state']): Promise<Job> =>
  atService(studio, async () => firstOf((await studio.ask('jobs.enqueue', { requests: [request] })).jobs).id, state);

async function atService(
  { ask, until, service }: SpendingStudio,
  start: () => Promise<string>,
  state: Job['state'],
): Promise<Job> {
  await ask('profiles.save', { id: 'stating', name: 'Stating', baseUrl: service });
  await ask('profiles.setKey', { id: 'stating', apiKey: 'sk-0123456789abcdef' });
  await ask('profiles.activate', { id: 'stating' });
  await ask('queue.resume', {});
  const id = await start();
  await until(async () => (await ask('jobs.get', { id })).state === state);
  await ask('queue.pause', {});
  return ask('jobs.get', { id });
}

/** A conversation with one question, waiting or answered. */
async function asked({ ask }: SpendingStudio, text = 'Hello') {
  const { conversationId } = await ask('chat.create', { model: 'language' });
  const { messageId, jobId } = await ask('chat.send', { conversationId, text, stream: false });
  const [said] = (await ask('chat.get', { conversationId })).messages;
  const question = said?.id ?? '';
  return { conversationId, question, messageId, jobId };
}

/** A picture whose request was repeated under its key and never answered; it is not on the bill. */
async function askedAgain(studio: SpendingStudio): Promise<Job> {
  const { ask, until } = studio;
  const idempotency = { kind: 'documented', source: 'https://gateway.example/docs', windowHours: 24 } as const;
  await ask('profiles.save', { id: 'stating', name: 'Stating', baseUrl: studio.service, idempotency });
  const { id } = await sent(studio, { ...image, prompt: 'lost' }, 'uncertain');
  await ask('jobs.resolve', { id, as: 'again' });
  await until(
    async () => (await ask('jobs.get', { id })).attempts.filter(({ outcome }) => outcome === 'unknown').length === 2,
  );
  await ask('jobs.resolve', { id, as: 'lost' });
  return ask('jobs.settleDoubt', { id, billedNano: 0 });
}

const withIds = (one: Job, other: Job) => ({ input: { id: one.id }, other: { id: other.id } });

export const SPENDING: { [Name in SpendingCall]: (studio: SpendingStudio) => Promise<Prepared<Name>> } = {
  'jobs.enqueue': async () => ({
    input: { requests: [image, { ...image, prompt: 'A lamp' }] },
    other: { requests: [image] },
  }),
  'batch.enqueue': async ({ ask }) => {
    const text = 'A quay\nA lamp';
    const { readId } = await ask('batch.read', { text, format: 'lines', defaults: { kind: 'imagine' } });
    const other = { text: `${text} at night`, format: 'lines' as const, defaults: { kind: 'imagine' } };
    const { readId: otherId } = await ask('batch.read', other);
    return { input: { readId }, other: { readId: otherId } };
  },
  'quotes.approve': async ({ ask }) => {
    const client = 'A program';
    const { id } = await ask('quotes.create', { request: image, client });
    const { id: otherId } = await ask('quotes.create', { request: { ...image, prompt: 'A lamp' }, client });
    return { input: { id }, other: { id: otherId } };
  },
  'jobs.retry': async (studio) => withIds(await canceled(studio), await canceled(studio)),
  'jobs.retryMany': async (studio) => ({
    input: { ids: [(await canceled(studio)).id, (await canceled(studio)).id] },
    other: { ids: [(await canceled(studio)).id] },
  }),
  'jobs.edit': async (studio) => {
    const { id } = await queued(studio);
    return {
      input: { id, request: { ...image, prompt: 'Another quay' } },
      other: { id, request: { ...image, prompt: 'A third quay' } },
    };
  },
  'jobs.resolve': async (studio) => {
    const { id } = await sent(studio, chat('lost'), 'uncertain');
    return { input: { id, as: 'resend' }, other: { id, as: 'lost' } };
  },
  'jobs.billedTwice': async (studio) => {
    const { id } = await askedAgain(studio);
    return { input: { id, billedNano: 3 }, other: { id, billedNano: 4 } };
  },
  'jobs.allowUnpriced': async (studio) => {
    await studio.ask('profiles.save', { id: 'unpriced', name: 'Unpriced', baseUrl: 'http://127.0.0.1:9' });
    await studio.ask('profiles.activate', { id: 'unpriced' });
    return withIds(await queued(studio), await queued(studio));
  },
  'jobs.confirmPrice': async (studio) => {
    const priced = (nano: number) =>
      studio.ask('prices.set', {
        price: {
          kind: 'image',
          model: '*',
          source: 'set by you',
          settledReading: 0,
          readings: [{ unit: 'image', nano }],
        },
      });
    await priced(60_000_000);
    const ids = [(await queued(studio)).id, (await queued(studio)).id];
    await priced(70_000_000);
    return { input: { ids }, other: { ids: ids.slice(1) } };
  },
  'night.assign': async (studio) => {
    await studio.ask('night.plan', { start: '23:00', end: '07:00', capNano: 1_000_000_000 });
    const ids = [(await queued(studio)).id];
    return { input: { ids, night: true }, other: { ids, night: false } };
  },
  'chat.send': async ({ ask }) => {
    const { conversationId } = await ask('chat.create', {});
    const input = { conversationId, text: 'Hello', model: 'language' };
    return { input, other: { ...input, text: 'Hello again' } };
  },
  'chat.edit': async (studio) => {
    const { conversationId, question: messageId } = await asked(studio);
    const input = { conversationId, messageId, text: 'Good day' };
    return { input, other: { ...input, text: 'Good evening' } };
  },
  'chat.regenerate': async (studio) => {
    const { conversationId, messageId } = await asked(studio);
    return { input: { conversationId, messageId }, other: { conversationId, messageId, model: 'language-exp' } };
  },
  'chat.continue': async (studio) => {
    let made = { conversationId: '', messageId: '' };
    const start = async () => {
      const { jobId, ...rest } = await asked(studio, 'cut');
      made = rest;
      return jobId;
    };
    await atService(studio, start, 'succeeded');
    const { conversationId, messageId } = made;
    return { input: { conversationId, messageId }, other: { conversationId, messageId, model: 'language-exp' } };
  },
  'storyboard.makeTake': async ({ ask }) => {
    const { id: projectId } = await ask('projects.create', { name: 'Film' });
    const shots = ['one', 'two'].map((id) => ({ id, prompt: 'A quay', model: 'video-standard' }));
    await ask('storyboard.save', { projectId, revision: 0, shots });
    return { input: { projectId, shotId: 'one' }, other: { projectId, shotId: 'two' } };
  },
  'storyboard.makeTakes': async ({ ask }) => {
    const { id: projectId } = await ask('projects.create', { name: 'Film' });
    const shots = ['one', 'two'].map((id) => ({ id, prompt: 'A quay', model: 'video-standard' }));
    await ask('storyboard.save', { projectId, revision: 0, shots });
    return { input: { projectId, shotIds: ['one', 'two'] }, other: { projectId, shotIds: ['two'] } };
  },
  'storyboard.promoteTake': async ({ ask }) => {
    const { id: projectId } = await ask('projects.openSample', {});
    const [shot] = (await ask('storyboard.get', { projectId })).shots;
    const input = { projectId, shotId: shot?.id ?? '', jobId: shot?.takes[0] ?? '' };
    return { input: { ...input, resolution: '1080p' }, other: { ...input, model: 'video-pro' } };
  },
  'director.approve': async (studio) => {
    const { id: projectId } = await studio.ask('projects.create', { name: 'Film' });
    const { conversationId } = await studio.ask('chat.create', { model: 'language', projectId });
    const start = async () => (await studio.ask('chat.send', { conversationId, text: 'posters', stream: false })).jobId;
    await atService(studio, start, 'succeeded');
    const [one, two] = (await studio.ask('director.drafts', { conversationId })).drafts;
    return { input: { ids: [one?.id ?? ''] }, other: { ids: [two?.id ?? ''] } };
  },
  'prices.resolveMismatch': async (studio) => {
    await sent(studio, chat('Hello'), 'succeeded');
    const [mismatch] = (await studio.ask('prices.mismatches', {})).mismatches;
    if (!mismatch) throw new Error('no mismatch');
    return { input: { id: mismatch.id, as: 'adopt' }, other: { id: mismatch.id, as: 'once' } };
  },
};

export const SPENDING_CALLS = Object.keys(SPENDING) as SpendingCall[];

const callsWith = (field: string): string[] =>
  Object.entries(contract).flatMap(([name, { input }]) => ('shape' in input && field in input.shape ? [name] : []));

export const takingKeys = (): string[] => callsWith('requestKey');

/** The calls that compare the shown price: these can spend. The other calls with a key charge what a bill says. */
export const comparingPrices = (): SpendingCall[] => {
  const comparing = callsWith('shown');
  return SPENDING_CALLS.filter((name) => comparing.includes(name));
};

const POSTERS = {
  id: 'call_1',
  type: 'function',
  function: { name: 'draft_images', arguments: JSON.stringify({ images: [{ prompt: 'One' }, { prompt: 'Two' }] }) },
};

/**
 * A gateway that states a cost which no price book allows. It never answers `lost`; it cuts the answer to `cut` at its length and drafts
 * two posters for `posters`, both without a stated cost. An unconfirmed cost holds back later requests to the model.
 */
export async function startStatingService(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (body.includes('"lost')) return void request.socket.destroy();
    const isCut = body.includes('"cut"');
    const calls = body.includes('"posters"') ? { tool_calls: [POSTERS] } : {};
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: 'chatcmpl-1',
        choices: [
          {
            message: { role: 'assistant', content: 'Hello.', ...calls },
            finish_reason: isCut ? 'length' : 'stop',
          },
        ],
        usage: {
          prompt_tokens: 4,
          completion_tokens: 2,
          total_tokens: 6,
          cost: isCut || 'tool_calls' in calls ? undefined : 0.5,
        },
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
