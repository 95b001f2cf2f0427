import { createHash } from 'node:crypto';
import { cpSync, globSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { testPng } from '../../../../test/helpers/png.ts';
import { rawZip } from '../../../../test/helpers/rawZip.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import { databaseFile } from '../store/index.ts';
import { turns } from '../timeSlicing.ts';
import { ROWS_PER_SLICE } from './importProject.ts';

/** A bundle is opened a few rows per turn: whatever ends the program in between, it is opened whole or not at all. */

let between = (_: () => Promise<unknown>): unknown => undefined;
const { next } = turns;
beforeEach(() => void vi.spyOn(turns, 'next').mockImplementation(async () => between(next)));
afterEach(() => {
  vi.restoreAllMocks();
  between = () => undefined;
});

const openStudio = studiosOfThisFile();
const TAKES = ROWS_PER_SLICE + 2;
const MESSAGES = 60;
let path: string;
beforeAll(() => {
  path = join(tempDir('bundle'), 'film.dailies');
  writeFileSync(path, bundle());
});

function bundle(): Buffer {
  const pictures = Array.from({ length: TAKES }, (_, at) => testPng(20 + at, 12));
  const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
  const jobs = pictures.map((_, at) => ({
    ...{ id: `job_${at}`, state: 'succeeded', createdAt: 5 + at, verdict: 'keep' },
    request: { kind: 'imagine', prompt: `A lighthouse ${at}` },
    elsewhere: { gateway: 'Theirs', costNano: 800_000_000, costLowNano: 800_000_000 },
  }));
  const media = pictures.map((data) => ({ data, sha256: createHash('sha256').update(data).digest('hex') }));
  const assets = media.map(({ data, sha256 }, at) => ({
    ...{ id: `as_${at}`, role: 'output', name: `Lighthouse ${at}`, createdAt: 5 + at, mime: 'image/png' },
    ...{ jobId: `job_${at}`, outputIndex: 0, sha256, bytes: data.length, starred: true, tags: ['sea'] },
  }));
  const shots = [{ id: 's1', prompt: 'A lighthouse', source: 'first', image: { jobId: 'job_0' }, takes: ['job_1'] }];
  const chat = {
    ...{ dailies: 'chat', form: 1, title: 'Lighthouse notes', createdAt: 5, active: 'b1' },
    branches: [
      { id: 'b1', createdAt: 5 },
      { id: 'b2', parent: 'b1', message: 'm1', createdAt: 6 },
    ],
    messages: Array.from({ length: MESSAGES }, (_, at) => ({
      ...{ id: `m${at}`, branch: 'b1', role: 'user', text: `lighthouse ${at}`, createdAt: 5 },
      ...(at === 0 ? {} : { after: `m${at - 1}` }),
    })),
  };
  const bytes = pictures.reduce((sum, data) => sum + data.length, 0);
  const counts = { shots: 1, jobs: TAKES, assets: TAKES, chats: 1, bytes };
  const manifest = { dailies: 'bundle', form: 1, version: '9.9.9', title: 'Lighthouse', createdAt: 5, ...counts };
  return rawZip([
    { name: 'dailies.json', data: JSON.stringify(manifest) },
    { name: 'film.json', data: '{}' },
    { name: 'shots.jsonl', data: lines(shots) },
    { name: 'jobs.jsonl', data: lines(jobs) },
    { name: 'assets.jsonl', data: lines(assets) },
    { name: 'chats/0001.json', data: JSON.stringify(chat) },
    ...media.map(({ data, sha256 }) => ({ name: `media/${sha256}.png`, data })),
  ]);
}

const TABLES = ['jobs', 'assets', 'media_tasks', 'conversations', 'branches', 'messages', 'ledger_entries'] as const;

/** What is in the file of the database, seen or not. */
function rowsIn(dataDir: string): Record<(typeof TABLES)[number] | 'all', number> & { unfinished: string | undefined } {
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const counts = TABLES.map((name) => [name, db.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number]);
  const unfinished = db.prepare(`SELECT value FROM flags WHERE name = 'bundle:unfinishedProject'`).pluck().get();
  db.close();
  const all = counts.reduce((sum, [, n]) => sum + Number(n), 0);
  return { ...Object.fromEntries(counts), all, unfinished };
}

/** Whatever lists, counts and searches jobs, files and chats. */
async function seenIn({ ask }: TestStudio) {
  const { total, days } = await ask('library.list', { limit: 9, days: true });
  const chosen = await ask('library.list', { limit: 9, days: true, states: ['local'] });
  const found = await ask('search.all', { text: 'lighthouse' });
  const { freeBytes: _, ...stats } = await ask('library.stats');
  return {
    projects: (await ask('projects.list')).projects.length,
    jobs: (await ask('jobs.list', { limit: 9 })).total,
    queue: (await ask('jobs.list', { limit: 9, order: 'queue' })).total,
    kept: (await ask('jobs.list', { limit: 9, verdict: 'keep' })).total,
    withText: (await ask('jobs.list', { limit: 9, text: 'lighthouse' })).total,
    ended: await ask('jobs.ended', { since: 0 }),
    chosenJobs: (await ask('jobs.chosen', { filter: {} })).count,
    assets: [total, days?.reduce((sum, { count }) => sum + count, 0)],
    local: [chosen.total, chosen.days?.reduce((sum, { count }) => sum + count, 0)],
    named: (await ask('library.list', { limit: 9, text: 'lighthouse' })).assets.length,
    byName: (await ask('library.list', { limit: 9, sort: { by: 'name' } })).assets.length,
    facets: await ask('library.facets', {}),
    chosenAssets: (await ask('library.chosen', { filter: {} })).count,
    stats,
    found: JSON.stringify(found).match(/lighthouse/gi)?.length ?? 0,
    chats: (await ask('chat.list', {})).total,
    spent: (await ask('ledger.totals', { groupBy: 'day' })).rows,
    entries: (await ask('ledger.entries')).entries.length,
    task: (await ask('media.claim')).task,
  };
}

const filesIn = ({ dataDir }: Pick<TestStudio, 'dataDir'>): number =>
  globSync('library/**/*.png', { cwd: dataDir }).length;

async function expectWhole(studio: TestStudio): Promise<void> {
  expect(rowsIn(studio.dataDir)).toMatchObject({
    ...{ jobs: TAKES, assets: TAKES, conversations: 1, branches: 2, messages: MESSAGES },
    ...{ ledger_entries: 0, unfinished: undefined },
  });
  const { projects } = await studio.ask('projects.list');
  expect(projects).toMatchObject([{ name: 'Lighthouse' }]);
  const projectId = projects[0]?.id ?? '';
  const { days } = await studio.ask('library.list', { projectId, days: true, limit: 1 });
  expect(days?.map(({ day, count }) => [new Date(day).getFullYear() > 2000, count])).toEqual([[true, TAKES]]);
  expect((await studio.ask('jobs.list', { projectId, limit: 9 })).total).toBe(TAKES);
  expect((await studio.ask('library.list', { projectId, tags: ['sea'], starred: true, limit: 9 })).total).toBe(TAKES);
  expect((await studio.ask('chat.list', { projectId })).total).toBe(1);
  const [take] = (await studio.ask('storyboard.get', { projectId })).shots[0]?.takes ?? [];
  expect((await studio.ask('jobs.get', { id: take ?? '' })).outputs).toMatchObject([{ state: 'local' }]);
  expect(filesIn(studio)).toBe(TAKES);
}

test('a restore in the middle of it keeps it whole', async () => {
  const to = await openStudio();
  const { id } = await to.ask('backups.make');
  let steps = 0;
  between = async () => {
    if (rowsIn(to.dataDir).unfinished === undefined) return;
    steps += 1;
    // Jobs, assets and a part of the chat are there.
    if (steps === 6) await to.ask('backups.restore', { id });
  };
  await to.ask('bundle.open', { path });
  expect(steps).toBeGreaterThan(6);
  await expectWhole(to);
});

test('it is seen once it is whole, and a kill between any two slices leaves nothing of it', async () => {
  const to = await openStudio();
  const before = await seenIn(to);
  const kills: string[] = [];
  const steps: number[] = [];
  let rows = 0;
  between = async () => {
    const now = rowsIn(to.dataDir);
    if (now.unfinished === undefined) return;
    steps.push(now.all - rows);
    rows = now.all;
    expect(await seenIn(to)).toEqual(before);
    expect(await to.call('projects.remove', { id: now.unfinished })).toMatchObject({ error: { code: 'not_found' } });
    const kill = tempDir('killed');
    cpSync(to.dataDir, kill, { recursive: true });
    kills.push(kill);
  };
  await to.ask('bundle.open', { path });
  between = () => undefined;
  await expectWhole(to);
  // Two slices of jobs, two of assets, a chat, two of its messages, its branches, and what makes it whole.
  expect(kills.length).toBe(2 + 2 + 5 + 1);
  expect(Math.max(...steps)).toBeLessThanOrEqual(50);
  for (const dataDir of kills) {
    const { unfinished } = rowsIn(dataDir);
    expect(unfinished).toBeDefined();
    const next = await openStudio({ dataDir });
    expect(await seenIn(next)).toEqual(before);
    // An opening waits until another one's leftovers are removed.
    await next.call('bundle.open', { path: `${path}.gone` });
    expect([rowsIn(dataDir), filesIn(next)]).toMatchObject([{ all: 0, unfinished: undefined }, 0]);
    expect(readdirSync(join(dataDir, 'bundles'))).toEqual([]);
    await next.close();
  }
  const last = await openStudio({ dataDir: kills.at(-1) ?? '' });
  await last.ask('bundle.open', { path });
  await expectWhole(last);
});

const full = (): never => {
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
};

test.each(['once', 'for long'])('a full disk in the middle opens nothing: %s', async (how) => {
  const to = await openStudio();
  const before = await seenIn(to);
  let count = 0;
  between = () => {
    const { unfinished, assets } = rowsIn(to.dataDir);
    if (unfinished === undefined || assets === 0) return;
    count += 1;
    if (count === 1 || how === 'for long') full();
  };
  expect(await to.call('bundle.open', { path })).toMatchObject({
    ok: false,
    error: { code: 'disk_full', message: expect.stringContaining('othing') },
  });
  expect(await seenIn(to)).toEqual(before);
  if (how === 'once') expect([rowsIn(to.dataDir).all, filesIn(to)]).toEqual([0, 0]);
  between = () => undefined;
  await to.ask('bundle.open', { path });
  await expectWhole(to);
});

test('a close in the middle leaves it to the next start, and two at once open one after the other', async () => {
  const to = await openStudio();
  let closing: Promise<void> | undefined;
  between = (turn) => {
    if (rowsIn(to.dataDir).jobs > 0) closing ??= to.close();
    return turn();
  };
  expect(await to.call('bundle.open', { path })).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  await closing;
  const { jobs, unfinished } = rowsIn(to.dataDir);
  expect([jobs > 0, unfinished]).toEqual([true, expect.any(String)]);
  const next = await openStudio({ dataDir: to.dataDir });
  const copy = join(tempDir('bundle'), 'copy.dailies');
  cpSync(path, copy);
  const opened = await Promise.all([next.ask('bundle.open', { path }), next.ask('bundle.open', { path: copy })]);
  expect(new Set(opened.map(({ id }) => id)).size).toBe(2);
  for (const { id: projectId } of opened)
    expect((await next.ask('jobs.list', { projectId, limit: 9 })).total).toBe(TAKES);
  expect(rowsIn(next.dataDir)).toMatchObject({ jobs: 2 * TAKES, assets: 2 * TAKES, unfinished: undefined });
  expect(filesIn(next)).toBe(TAKES);
});

test('nothing of it is told of before it is whole, and each list is then', async () => {
  const clock = new TestClock();
  const to = await openStudio({ ports: { clock } });
  const told = (): string[] => {
    const changed = to.events.map(({ type }) => type).filter((type) => type.endsWith('.changed'));
    return [...new Set(changed)].filter((type) => /^(asset|job|projects)\./.test(type)).sort();
  };
  between = () => {
    if (rowsIn(to.dataDir).messages > 0) full();
  };
  expect((await to.call('bundle.open', { path })).ok).toBe(false);
  await clock.advance(5_000);
  expect(told()).toEqual([]);
  between = async () => {
    await clock.advance(5_000);
    expect(told()).toEqual([]);
  };
  await to.ask('bundle.open', { path });
  await clock.advance(5_000);
  expect(told()).toEqual(['asset.changed', 'job.changed', 'projects.changed']);
  const { jobs } = await to.ask('jobs.list', { limit: 9 });
  const ids = to.events.flatMap((event) => (event.type === 'job.changed' ? event.job.id : []));
  expect(ids).toContain(jobs[0]?.id);
  expect(ids.length).toBeLessThanOrEqual(ROWS_PER_SLICE);
});

test('a backup that was made in the middle of an opening that came to nothing is restored', async () => {
  const to = await openStudio();
  let backup: string | undefined;
  let isFull = false;
  between = async () => {
    if (rowsIn(to.dataDir).messages === 0 || isFull) return;
    isFull = backup !== undefined;
    if (isFull) full();
    backup = (await to.ask('backups.make', {})).id;
  };
  expect((await to.call('bundle.open', { path })).ok).toBe(false);
  between = () => undefined;
  const { id } = await to.upload('a.png', testPng(9, 9));
  expect(await to.ask('backups.preview', { id: backup ?? '' })).toMatchObject({ kept: { files: 1 } });
  expect(await to.call('backups.restore', { id: backup ?? '' })).toMatchObject({ ok: true });
  expect((await to.ask('library.get', { id })).starred).toBeUndefined();
});

test('an opening that cannot begin holds no file', async () => {
  const to = await openStudio();
  await to.ask('bundle.open', { path });
  const { assets } = await to.ask('library.list', { limit: 100 });
  const folder = join(to.dataDir, 'bundles');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'no folder');
  expect((await to.call('bundle.open', { path })).ok).toBe(false);
  await to.ask('library.bin', { ids: assets.map(({ id }) => id) });
  await to.ask('library.emptyBin', {});
  // The shot names two of them.
  expect(filesIn(to)).toBe(2);
});
