import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxProfile } from '../../src/main/core/createStudio.ts';
import { databaseFile } from '../../src/main/core/store/index.ts';
import { type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import { type CallInput, type CallName, type CallOutput, contract } from '../../src/shared/contract/contract.ts';
import type { Result } from '../../src/shared/contract/result.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { testPng } from '../helpers/png.ts';
import { memoryKeys, settle, TestClock } from '../helpers/testPorts.ts';
import { openStudio } from '../helpers/testStudio.ts';
import { textIndexFaults } from '../helpers/textIndex.ts';
import { APART } from './apart.ts';
import { askedAgain } from './askedAgain.ts';
import { billsAndBundles } from './billsAndBundles.ts';
import { branching, chats, drafting } from './chats.ts';
import { leavesAndComesIn } from './comesIn.ts';
import { putBack } from './putBack.ts';
import { startStating } from './statingService.ts';
import { VIEWS } from './views.ts';

/**
 * Every increased revision is announced, so that a page learns of each change. Runs every command of the contract and every step of a job's
 * life against a whole studio and a gateway. After each, the revisions equal those of the events, objects without a revision equal what was
 * read at their last event, and the text index matches the rows.
 */

const SAMPLE = path.join(import.meta.dirname, '..', '..', 'resources', 'sample');

/** Tables with a revision, and the id by which events name their rows. */
const REVISED = { jobs: 'id', assets: 'id', conversations: 'id', messages: 'id', boards: 'project_id' } as const;

async function start() {
  const gateway: Sandbox = await startSandbox({
    speed: 'fast',
    media: 'tiny',
    requireKey: false,
    imageNano: 40_000_000,
    faults: [
      { match: { endpoint: 'video', promptIncludes: 'lost' }, action: { kind: 'drop', when: 'after' } },
      { match: { endpoint: 'video', promptIncludes: 'mislaid', times: 1 }, action: { kind: 'drop', when: 'after' } },
    ],
  });
  onTestFinished(() => gateway.close());
  const clock = new TestClock(new Date(2026, 10, 21, 20).getTime());
  const { studio, dataDir, close } = await openStudio({
    ports: { clock, keys: memoryKeys({ p: 'sk-0123456789abcdef' }) },
    sandbox: sandboxProfile(gateway),
    sampleDir: SAMPLE,
  });
  onTestFinished(close);
  const db = new Database(databaseFile(dataDir), { readonly: true });
  onTestFinished(() => void db.close());
  return { studio, db, clock, dataDir };
}

type Harness = Awaited<ReturnType<typeof start>>;

const stored = (db: Database.Database): Map<string, number> =>
  new Map(
    Object.entries(REVISED).flatMap(([table, id]) =>
      (db.prepare(`SELECT ${id} AS id, revision FROM ${table}`).all() as { id: string; revision: number }[]).map(
        ({ id, revision }): [string, number] => [`${table} ${id}`, revision],
      ),
    ),
  );

/** `atGateway` is read here without a key, so the gateway is not asked and it cannot change. */
const UNTOLD = new Set(['revision', 'atGateway']);
const contentOf = (answer: Result<unknown>): string =>
  JSON.stringify(answer.ok ? answer.data : answer.error, (name, value) => (UNTOLD.has(name) ? undefined : value));

/** Longer than the interval after which changes are announced together. */
const TOLD_MS = 400;

/** Receives a page's events, and compares them with the database. */
function listener({ studio, db, clock }: Harness) {
  const told = new Map<string, number>();
  const seen = new Map<(typeof VIEWS)[number], string>();
  const tell = (key: string, revision: number) => told.set(key, Math.max(told.get(key) ?? 0, revision));
  const read = async (view: (typeof VIEWS)[number]) => contentOf(await studio.call(view[0], view[1]));
  const revisionOf = db.prepare('SELECT revision FROM conversations WHERE id = ?').pluck();
  const messagesOf = db.prepare('SELECT id, revision FROM messages WHERE conversation_id = ?');
  studio.subscribe((event) => {
    if (event.type === 'job.changed') {
      tell(`jobs ${event.job.id}`, event.job.revision);
      for (const output of event.job.outputs) tell(`assets ${output.id}`, output.revision);
    }
    if (event.type === 'asset.changed') tell(`assets ${event.asset.id}`, event.asset.revision);
    if (event.type === 'message.changed') tell(`messages ${event.message.id}`, event.message.revision);
    if (event.type === 'board.changed') tell(`boards ${event.projectId}`, event.revision);
    if (event.type === 'conversation.changed') {
      // A page reads the conversation again, with its messages.
      const { conversationId } = event;
      tell(`conversations ${conversationId}`, revisionOf.get(conversationId) as number);
      for (const { id, revision } of messagesOf.all(conversationId) as { id: string; revision: number }[])
        tell(`messages ${id}`, revision);
    }
    for (const view of VIEWS.filter(([, , types]) => types.includes(event.type)))
      void read(view).then((content) => seen.set(view, content));
  });
  return {
    /** The changes that were not announced, or only with an older revision. */
    async faults(): Promise<string[]> {
      let silent = [...stored(db)].filter(([key, revision]) => told.get(key) !== revision);
      // The next announcement may still include the change.
      if (silent.length > 0) await clock.advance(TOLD_MS);
      silent = silent.filter(([key, revision]) => (told.get(key) ?? -1) < revision);
      const faults = silent.map(([key, revision]) => `${key} is ${revision}, told ${told.get(key) ?? 'never'}`);
      for (const view of VIEWS) {
        const now = await read(view);
        const before = seen.get(view);
        let later = now;
        if (before !== undefined && now !== before) {
          await clock.advance(TOLD_MS);
          later = await read(view);
          const told = seen.get(view) ?? '';
          if (told !== now && told !== later)
            faults.push(`${view[0]} changed untold:\n  ${before.slice(0, 600)}\n  ${now.slice(0, 600)}`);
        }
        seen.set(view, later);
      }
      for (const [key, revision] of stored(db)) told.set(key, revision);
      return faults;
    },
  };
}

function driver(harness: Harness) {
  const { studio, clock } = harness;
  const ears = listener(harness);
  const run = new Set<string>();
  const faults: string[] = [];
  const check = async (what: string) => {
    await clock.advance(TOLD_MS);
    for (const fault of await ears.faults()) faults.push(`after ${what}: ${fault}`);
  };
  const ask = async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
    const answer = (await studio.call(name, input)) as Result<CallOutput<Name>>;
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
    return answer.data;
  };
  return {
    ask,
    check,
    faults,
    run,
    /** Runs a command and checks its announcements. */
    async does<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
      const data = await ask(name, input);
      run.add(name);
      await check(name);
      for (const fault of textIndexFaults(databaseFile(harness.dataDir))) faults.push(`after ${name}: ${fault}`);
      return data;
    },
    /** Lets time pass until a job is as wanted; compares at each step. */
    async until(id: string, wanted: (job: Job) => boolean): Promise<Job> {
      for (let step = 0; step < 4_000; step++) {
        const job = await ask('jobs.get', { id });
        await check(`${job.kind} ${job.state}`);
        if (wanted(job)) return job;
        await new Promise((done) => setImmediate(done));
      }
      throw new Error(`it never came: ${JSON.stringify(await ask('jobs.get', { id }))}`);
    },
    async upload(bytes: Buffer, extra: { taskId?: string; role?: string } = {}) {
      const put = await studio.media.upload({ name: 'one.png', body: Readable.from([bytes]), ...extra } as never);
      if (!put.ok) throw new Error(put.error.message);
      await check('upload');
      return put.data;
    },
  };
}

type Driver = ReturnType<typeof driver>;

const ended = ({ state }: Job) => ['succeeded', 'failed', 'canceled'].includes(state);
const isIn =
  (...states: string[]) =>
  (job: Job) =>
    states.includes(job.state);

const VIDEO = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay at night',
  config: { durationSeconds: 4 },
} as const;

async function documents({ does, ask }: Driver): Promise<string> {
  const project = await does('projects.create', { name: 'Film' });
  await does('projects.rename', { id: project.id, name: 'The film' });
  const shots = ['one', 'two'].map((id) => ({ id, prompt: 'A quay', model: 'video-standard' }));
  await does('storyboard.save', { projectId: project.id, revision: 0, shots });
  await does('board.undo', { projectId: project.id });
  await does('board.redo', { projectId: project.id });
  const board = await ask('storyboard.get', { projectId: project.id });
  await does('storyboard.save', { ...board, shots: board.shots.slice(0, 1) });
  await does('board.restore', { projectId: project.id, shotId: 'two' });
  await does('projects.remove', { id: project.id });
  await does('projects.restore', { id: project.id });
  await does('settings.set', { projectId: project.id });
  await does('backups.make', {});
  await putBack({ does, ask }, project.id);
  return project.id;
}

async function doubts(driver: Driver, { does, until } = driver): Promise<void> {
  const lost = { ...VIDEO, prompt: 'A lost quay' };
  const { jobs } = await does('jobs.enqueue', { requests: [lost, lost] });
  const [first = '', second = ''] = jobs.map(({ id }) => id);
  await until(first, isIn('uncertain'));
  await until(second, isIn('uncertain'));
  await does('jobs.resolve', { id: first, as: 'lookup' });
  await does('jobs.resolve', { id: first, as: 'lost' });
  await does('jobs.settleDoubt', { id: first, billedNano: 3 });
  await does('jobs.resolve', { id: second, as: 'resend' });
  await until(second, isIn('uncertain'));
  await does('jobs.resolve', { id: second, as: 'lost' });
  await askedAgain(driver, { ...VIDEO, prompt: 'A mislaid quay' });
}

/** A stated cost blocks its price, for each of the user's decisions. */
async function stops({ does, until, ask }: Driver): Promise<void> {
  await does('profiles.save', { id: 'p', name: 'P', baseUrl: await startStating() });
  await does('profiles.activate', { id: 'p' });
  await does('profiles.testConnection', { id: 'p' });
  const chat: StudioRequest = {
    kind: 'chat',
    model: 'language',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: false,
  };
  const order = async (): Promise<string> => (await does('jobs.enqueue', { requests: [chat] })).jobs[0]?.id ?? '';
  for (const as of ['once', 'dispute', 'adopt'] as const) {
    await until(await order(), ended);
    const waits = await order();
    await until(waits, isIn('blocked'));
    const id = (await ask('prices.mismatches', {})).mismatches[0]?.id ?? '';
    await does('prices.resolveMismatch', { id, as });
    if (as === 'dispute') await does('prices.resolveMismatch', { id, as: 'once' });
    await until(waits, ended);
  }
  const { id: previewId } = await ask('prices.preview', {});
  await does('prices.import', { previewId, chosen: [{ kind: 'chat', listed: 'another' }] });
}

async function takes(drive: Driver, projectId: string, dataDir: string): Promise<void> {
  const { does, until, upload, ask, check } = drive;
  const { job } = await does('storyboard.makeTake', { projectId, shotId: 'one' });
  const done = await until(job.id, ended);
  expect(done.state).toBe('succeeded');
  const { task: given } = await ask('media.claim', {});
  await does('media.release', { taskIds: [given?.id ?? ''] });
  for (let work = await ask('media.claim', {}); work.task; work = await ask('media.claim', {})) {
    await upload(testPng(16, 16), { taskId: work.task.id });
    await does('media.finish', { taskId: work.task.id });
  }
  const chain = await does('storyboard.makeTakes', { projectId, shotIds: ['one'] });
  await until(chain.jobs[0]?.id ?? '', ended);
  const promotion = { projectId, shotId: 'one', jobId: job.id, resolution: '1080p' } as const;
  const promoted = await does('storyboard.promoteTake', promotion);
  await until(promoted.job.id, ended);
  for (const verdict of ['keep', null] as const) await does('jobs.judge', { id: job.id, verdict });
  const [clip] = done.outputs;
  await does('library.judge', { ids: [clip?.id ?? ''], verdict: 'maybe' });
  await does('library.download', { id: clip?.id ?? '' });
  const extension = { ...VIDEO, config: undefined, video: { jobId: job.id } };
  const { jobs } = await does('jobs.enqueue', { requests: [extension], projectId });
  await until(jobs[0]?.id ?? '', ended);
  const file = path.join(dataDir, 'brought.png');
  fs.writeFileSync(file, testPng(8, 8));
  await does('library.import', { path: file });
  const picture = await does('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A quay' }] });
  await until(picture.jobs[0]?.id ?? '', ended);
  const lines = { text: 'A {lit|dark} quay', format: 'lines', defaults: { kind: 'imagine' } } as const;
  const { readId } = await ask('batch.read', lines);
  const { jobIds } = await does('batch.enqueue', { readId });
  for (const id of jobIds) await until(id, ended);
  await check('takes');
}

/** The sample film as a project, and its exports without encoding. */
async function films(drive: Driver): Promise<void> {
  const { does, ask, check } = drive;
  const { id: projectId } = await does('projects.openSample', {});
  await does('projects.duplicate', { id: projectId });
  await does('film.addShots', { projectId, shots: [{ prompt: 'One more quay' }] });
  const isOver = async (id: string) => {
    for (let step = 0; step < 4_000; step++) {
      const { state } = await ask('exports.get', { id });
      await check(`an export ${state}`);
      if (state !== 'running') return state;
      await new Promise((done) => setImmediate(done));
    }
    throw new Error('the export never ended');
  };
  const list = await does('film.export', { projectId, format: 'csv', holes: 'skip' });
  expect(await isOver(list.id)).toBe('done');
  const { assets } = await ask('library.list', { projectId, limit: 1 });
  await leavesAndComesIn(drive, assets, isOver);
  await billsAndBundles(drive, isOver);
  await does('media.measures', { sha256s: assets.map(({ sha256 }) => sha256) });
  await does('triage.list', { since: 0 });
  await does('triage.setLimits', { projectId, limits: { cut: 0.5 } });
  const film = await does('film.export', { projectId, format: 'mp4', holes: 'skip' });
  for (let tries = 0; tries < 4_000; tries++) {
    const { task } = await does('media.claimFilm', {});
    const { task: measuring } = await ask('media.claim', {});
    if (measuring) await does('media.finish', { taskId: measuring.id, error: 'The clip cannot be decoded.' });
    if (task) {
      await does('media.beat', { taskId: task.id, progress: 10 });
      await does('media.finishFilm', { taskId: task.id, error: 'The clip cannot be decoded.' });
    }
    const { state } = await ask('exports.get', { id: film.id });
    if (state !== 'running') break;
    await new Promise((done) => setImmediate(done));
  }
  expect(await isOver(film.id)).toBe('failed');
  const canceled = await does('film.export', { projectId, format: 'mp4', holes: 'skip' });
  await does('exports.cancel', { id: canceled.id });
}

/** The queue order, with positions so close that they are renumbered. */
async function order({ does, ask }: Driver): Promise<void> {
  await does('queue.pause', {});
  const { jobs } = await does('jobs.enqueue', { requests: Array.from({ length: 70 }, () => VIDEO) });
  const ids = jobs.map(({ id }) => id);
  for (let n = 0; n < 64; n++) await ask('jobs.move', { id: ids[2 + n] ?? '', before: ids[1] ?? '' });
  await does('jobs.move', { id: ids[69] ?? '', before: ids[1] ?? '' });
  await does('jobs.move', { id: ids[0] ?? '' });
  await does('budgets.set', { scope: 'day', hardNano: 60_000_000_000, softNano: 1_000_000_000 });
  await does('budgets.set', { scope: 'day', hardNano: null, softNano: null });
  const [price] = (await ask('prices.list', {})).prices.filter(({ kind }) => kind === 'video');
  if (!price) throw new Error('no price');
  const [reading] = price.readings;
  for (const nano of [1_000_000_000, 7]) {
    const readings = [{ ...reading, nano }] as never;
    await does('prices.set', { price: { ...price, model: 'video-standard', readings, settledReading: 0 } });
    if (nano > 7) await does('jobs.confirmPrice', { ids: ids.slice(0, 2) });
  }
  await does('night.plan', { start: '23:00', end: '07:00', capNano: 3_000_000_000 });
  await does('night.assign', { ids: ids.slice(0, 4), night: true });
  await does('night.assign', { ids: ids.slice(0, 1), night: false });
  const hours = { start: '23:00', end: '07:00', capNano: 14 };
  await does('night.plan', hours);
  const { id: kept } = await does('night.savePlan', { name: 'As ever', plan: hours });
  await does('night.removePlan', { id: kept });
  await does('night.stop', {});
  await does('jobs.moveMany', { ids: ids.slice(10, 20), to: 'first' });
  await does('jobs.edit', { id: ids[5] ?? '', request: { ...VIDEO, prompt: 'Another quay' } });
  await does('jobs.cancelMany', { ids: ids.slice(0, 60) });
  await does('jobs.retryMany', { ids: ids.slice(0, 3) });
  await does('jobs.cancelMany', { filter: { states: ['queued', 'blocked'] } });
  await does('queue.pause', { lane: { kind: 'video', profileId: 'p' } });
  await does('queue.resume', { lane: { kind: 'video', profileId: 'p' } });
  await does('queue.resume', {});
}

async function profiles({ does }: Driver): Promise<void> {
  await does('profiles.setKey', { id: 'p', apiKey: 'sk-another-0123456789' });
  await does('queue.pause', {});
  await does('budgets.set', { scope: 'day', hardNano: 60_000_000_000 });
  const { jobs } = await does('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A quay of no price' }] });
  await does('jobs.allowUnpriced', { id: jobs[0]?.id ?? '' });
  await does('jobs.cancel', { id: jobs[0]?.id ?? '' });
  await does('queue.resume', {});
  await does('profiles.forgetKey', { id: 'p' });
  await does('profiles.remove', { id: 'p' });
}

test('every change of each command and of each step of a job’s life is announced', async () => {
  const harness = await start();
  const drive = driver(harness);
  await drive.check('the start');
  const projectId = await documents(drive);
  await takes(drive, projectId, harness.dataDir);
  await films(drive);
  await chats(drive);
  await branching(drive);
  await drafting(drive);
  await order(drive);
  await doubts(drive);
  await stops(drive);
  await profiles(drive);
  expect(drive.faults).toEqual([]);
  const commands = Object.entries(contract).flatMap(([name, { kind }]) => (kind === 'command' ? [name] : []));
  expect(commands.filter((name) => !drive.run.has(name) && !APART.includes(name))).toEqual([]);
  await settle();
});
