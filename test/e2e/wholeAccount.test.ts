import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import { KINDS, type StudioRequest } from '../../src/shared/kinds/index.ts';
import { SANDBOX_IMAGE_NANO } from '../../src/shared/money/price.ts';
import { root } from '../helpers/host.ts';
import { PICTURE_PRICE } from '../helpers/prices.ts';
import { labels, starting, whole } from '../labels.ts';
import { SandboxProcess } from '../torture/sandboxProcess.ts';
import { Program } from './program.ts';

/**
 * A month with two gateways: both bills, the cost of kept takes, a dispute, a backup restored over newer work, and a library that moves to
 * another disk with a kill midway.
 */

const folder = fs.mkdtempSync(path.join(tmpdir(), 'dailies-account-'));
let program: Program;
let near: Gateway;
let far: Gateway;

interface Gateway {
  id: string;
  service: SandboxProcess;
}

beforeAll(async () => {
  program = await Program.start();
  [near, far] = await Promise.all([gatewayNamed('Near'), gatewayNamed('Far')]);
  await program.host.ask('settings.set', { welcomed: true });
  await program.page.reload();
  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
});
afterAll(async () => {
  await program?.stop();
  await Promise.all([near, far].map((gateway) => gateway?.service.kill('SIGKILL')));
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A gateway for real money with a price for pictures. */
async function gatewayNamed(name: string): Promise<Gateway> {
  const service = await SandboxProcess.start(path.join(folder, name));
  const { baseUrl, apiKey, imagePrefix, vendor, imageAuthHeaders } = service.ready;
  const { host } = program;
  const { id } = await host.ask('profiles.save', { name, baseUrl, imagePrefix, vendor, imageAuthHeaders });
  await host.ask('profiles.setKey', { id, apiKey });
  await host.ask('prices.set', { profileId: id, price: PICTURE_PRICE });
  return { id, service };
}

const aPicture = (prompt: string): StudioRequest => ({ kind: 'imagine', prompt });
const aClip = (prompt: string): StudioRequest => ({
  kind: 'video',
  model: 'video-standard',
  prompt,
  config: { durationSeconds: 4 },
});

async function make(gateway: Gateway, ...requests: StudioRequest[]): Promise<Job[]> {
  const { host } = program;
  await host.ask('profiles.activate', { id: gateway.id });
  const { jobs } = await host.ask('jobs.enqueue', { requests });
  const now = () => Promise.all(jobs.map(({ id }) => host.ask('jobs.get', { id })));
  await expect.poll(async () => (await now()).every(({ finishedAt }) => finishedAt !== undefined)).toBe(true);
  const made = await now();
  expect(made.map(({ state }) => state)).toEqual(made.map(() => 'succeeded'));
  return made;
}

interface BillLine {
  at: string;
  id: string;
  model: string;
  nano: number;
}
const dollars = (nano: number): string => `${Math.floor(nano / 1e9)}.${String(nano % 1e9).padStart(9, '0')}`;
const csv = (lines: readonly BillLine[]): string =>
  [
    'started_at,operation,model,amount_usd',
    ...lines.map(({ at, id, model, nano }) => [at, id, model, dollars(nano)]),
  ].join('\n');
/** The bill of a gateway, pictures included: the specification has no price for them and the sandbox bills none. */
async function billOf({ service }: Gateway): Promise<BillLine[]> {
  const lines = (await service.bill()) as unknown as (BillLine & { kind: string })[];
  return lines.map((line) => (line.kind === KINDS.imagine.name ? { ...line, nano: SANDBOX_IMAGE_NANO } : line));
}
const sumOf = (lines: readonly { nano: number }[]): number => lines.reduce((sum, { nano }) => sum + nano, 0);
const settledOf = async ({ id }: Gateway) => {
  const { sum } = await program.host.ask('ledger.totals', { groupBy: 'model', profileIds: [id], play: false });
  return sum;
};

let clips: Job[];

test('both bills agree with the ledger to the nano-dollar once the lines that differ or have no match are settled', async () => {
  const { host, page } = program;
  clips = await make(near, aClip('A quay in fog'), aClip('A lamp'));
  const pictures = await make(near, aPicture('A map'), aPicture('A rope'));
  await make(far, aPicture('A gull'), aPicture('A net'));

  const all = await billOf(near);
  const [left, changed] = pictures.map(({ remoteId }) => all.find(({ id }) => id === remoteId));
  if (!left || !changed) throw new Error('The bill has no lines for the pictures.');
  const foreign = { ...changed, id: 'op-elsewhere', model: 'another-model', nano: 123_456_789 };
  const billed = [
    ...all.filter((line) => line !== left && line !== changed),
    { ...changed, nano: changed.nano + 7 },
    foreign,
  ];
  const read = await host.ask('statement.read', { profileId: near.id, text: csv(billed) });
  expect(read.counts).toMatchObject({ bill: billed.length, onlyBill: 1, onlyLedger: 1, differs: 1 });
  expect(read.sums.bill).toBe(sumOf(billed));
  expect(read.sums.matched + read.sums.onlyBill + read.sums.differs).toBe(read.sums.bill);
  for (const line of [read.onlyBill[0], read.differs[0], read.onlyLedger[0]])
    await host.ask('statement.settle', { id: read.id, lines: [line?.id ?? ''], as: 'adopt' });
  const after = await host.ask('statement.get', { id: read.id });
  expect(after).toMatchObject({ open: 0, onlyBill: [], onlyLedger: [], differs: [] });
  const other = await host.ask('statement.read', { profileId: far.id, text: csv(await billOf(far)) });
  expect(other).toMatchObject({ matched: 2, open: 0, sums: { bill: 2 * SANDBOX_IMAGE_NANO } });
  // The bill confirms one of the two interpretations for clips, which is adopted.
  await host.ask('profiles.activate', { id: near.id });
  const price = (await host.ask('prices.list', { profileId: near.id })).prices.find(
    ({ model }) => model === 'video-standard',
  );
  expect(price?.readings.length).toBe(2);
  for (const settled of after.settles)
    await host.ask('prices.set', { profileId: near.id, price: { ...priceOf(price), settledReading: settled.reading } });
  expect(await settledOf(near)).toMatchObject({ settledNano: sumOf(billed), uncertainNano: 0, reservedNano: 0 });
  expect(await settledOf(far)).toMatchObject({ settledNano: 2 * SANDBOX_IMAGE_NANO, uncertainNano: 0 });
  await page.keyboard.press('Alt+7');
  await program.tabTo(whole(labels.checkABill));
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: labels.theBill }).waitFor();
});

const priceOf = <T>(price: T | undefined): T => {
  if (!price) throw new Error('There is no such price.');
  return price;
};

test('the cost of a kept second is all spend on clips divided by the kept seconds', async () => {
  const { host } = program;
  const [kept] = clips;
  if (!kept) throw new Error('There is no clip.');
  await host.ask('jobs.judge', { id: kept.id, verdict: 'keep' });
  const jobs = await Promise.all(clips.map(({ id }) => host.ask('jobs.get', { id })));
  const spent = jobs.reduce((sum, { money }) => sum + money.chargedNano, 0);
  const { rows } = await host.ask('spend.kept', { groupBy: 'model', play: false });
  expect(rows.find(({ key }) => key === 'video-standard')).toMatchObject({
    keptSeconds: 4,
    madeSeconds: 8,
    perKeptSecondNano: Math.ceil(spent / 4),
  });
});

/** Runs `verify` without a data folder. */
const verified = (place: string): number | null =>
  spawnSync(process.execPath, [path.join(root, 'src/main/start.mjs'), 'verify', place], {
    env: { PATH: process.env.PATH },
  }).status;

test('the file of a dispute verifies, and no longer does after one changed byte', async () => {
  const { host } = program;
  const jobIds = clips.map((clip) => clip.id);
  const ids = new Set(clips.map(({ remoteId }) => remoteId));
  const billed = sumOf((await billOf(near)).filter(({ id: operation }) => ids.has(operation)));
  expect((await host.ask('evidence.preview', { jobIds })).sums).toMatchObject({ billedNano: billed, made: 2 });
  const { id } = await host.ask('evidence.dispute', { jobIds });
  await expect.poll(async () => (await host.ask('exports.get', { id })).state).toBe('done');
  const file = path.join((await host.ask('exports.get', { id })).folder, 'evidence.json');
  expect(verified(file)).toBe(0);
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf('video-standard');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
  expect(verified(file)).toBe(1);
});

test('a backup is restored over newer work: newer ledger entries stay, and an unconfirmed job stays unconfirmed', async () => {
  const { host, page } = program;
  const { id: projectId } = await host.ask('projects.create', { name: 'Before' });
  const { id } = await host.ask('backups.make');
  await host.ask('projects.create', { name: 'After' });
  await make(near, aPicture('A newer picture'));
  await near.service.faults([{ match: { endpoint: 'video' }, action: { kind: 'drop', when: 'after' } }]);
  const { jobs } = await host.ask('jobs.enqueue', { requests: [aClip('A lost answer')] });
  const lost = jobs[0]?.id ?? '';
  await expect.poll(async () => (await host.ask('jobs.get', { id: lost })).state).toBe('uncertain');
  await near.service.faults([]);
  const before = await settledOf(near);
  expect(before.uncertainNano).toBeGreaterThan(0);
  const preview = await host.ask('backups.preview', { id });
  expect(preview.gone.map(({ title }) => title)).toContain('After');
  expect(preview.kept.doubts).toBe(1);
  await host.ask('backups.restore', { id });
  const { projects } = await host.ask('projects.list');
  expect(projects.map((project) => project.id)).toContain(projectId);
  expect(projects.map(({ name }) => name)).not.toContain('After');
  expect(await settledOf(near)).toEqual(before);
  expect(await host.ask('jobs.get', { id: lost })).toMatchObject({ state: 'uncertain' });
  await page.keyboard.press('Alt+4');
  await page.getByRole('link', { name: starting(labels.unconfirmedCases('Queue', 1)) }).waitFor();
});

test('the library moves to another disk with a kill in the middle, and every file is there', async () => {
  const place = path.join(folder, 'disk', 'Film');
  fs.mkdirSync(path.dirname(place));
  const events = await program.host.events();
  await program.host.ask('library.move', { folder: place });
  await events.next('export.changed', ({ export: one }) => one.kind === 'move' && one.progress > 0);
  await program.killAndRestart();
  const { host, page } = program;
  await expect.poll(async () => (await host.ask('library.folder')).move?.state).toBe('done');
  expect((await host.ask('library.folder')).folder).toBe(path.join(place, 'library'));
  const { assets } = await host.ask('library.list', { states: ['local'], limit: 500 });
  for (const asset of assets) expect((await host.request(`/media/${asset.id}`)).status).toBe(200);
  expect(await settledOf(far)).toMatchObject({ settledNano: 2 * SANDBOX_IMAGE_NANO });
  // Keys pressed before the page is there are lost.
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  for (const [place, name] of [
    ['Alt+7', labels.spend],
    ['Alt+8', 'Settings'],
  ] as const) {
    await page.keyboard.press(place);
    await page.getByRole('main').getByRole('heading', { level: 1, name }).waitFor();
  }
  expect(program.complaints).toEqual([]);
});
