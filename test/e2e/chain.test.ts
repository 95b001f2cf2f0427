import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { Shot } from '../../src/shared/board.ts';
import type { Job } from '../../src/shared/job.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';
import { rangeText } from './spending.ts';

/** A chain of three shots from its joints to the redo of what went stale, with the keyboard alone; the ledger equals the bill. */

const HOUR = 3_600_000;

let program: Program;
let projectId = '';
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await program.page.keyboard.press(key);
};
const tabTo = (name: RegExp): Promise<void> => program.tabTo(name);
const shots = async (): Promise<Shot[]> => (await program.host.ask('storyboard.get', { projectId })).shots;
const jobs = async (): Promise<Job[]> =>
  (await program.host.ask('jobs.list', { projectId, limit: 100 })).jobs.toSorted((a, b) => a.createdAt - b.createdAt);
const all = (state: Job['state']) =>
  expect
    .poll(async () => (await jobs()).map((job) => job.state), { timeout: 500_000 })
    .toSatisfy((states: string[]) => states.every((each) => each === state));

/** What the ledger has settled is what the sandbox bills, and nothing is reserved or in doubt. */
async function expectBill(): Promise<number> {
  const bill = await program.bill();
  const { sum } = await program.host.ask('ledger.totals', { groupBy: 'project' });
  expect(sum).toMatchObject({ settledNano: bill.totalNano, reservedNano: 0, uncertainNano: 0 });
  return bill.totalNano;
}

test('joints are chosen between the shots, each as one step of undo', async () => {
  const { page, host } = program;
  await page.getByRole('button', { name: labels.startInTheSandbox }).waitFor();
  await tabTo(starting(labels.startInTheSandbox));
  await press('Enter');
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  ({ id: projectId } = await host.ask('projects.create', { name: 'Ferry' }));
  const written = ['A quay at night', 'A ferry leaves', 'The open sea'].map((prompt, at) => ({
    id: `s${at + 1}`,
    prompt,
    model: 'video-standard',
    config: { durationSeconds: 4, resolution: '720p' },
  }));
  await host.ask('storyboard.save', { projectId, revision: 0, shots: written as Shot[] });
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await press('Alt+2');
  await page.getByText(labels.chooseAFilm).waitFor();
  await tabTo(/^Ferry/);
  await press('Enter');
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
  await tabTo(/^Shot 1, /);
  for (const [from, to] of [
    [1, 2],
    [2, 3],
  ]) {
    await press('Alt+j');
    const choice = page.getByRole('dialog', { name: `Joint ${from} to ${to}` });
    await choice
      .getByRole('radio', { name: starting(labels.cut) })
      .and(page.locator(':focus'))
      .waitFor();
    await press('ArrowDown');
    await choice.getByText(`Shot ${to} starts from the last frame of ${from}, once it has a take.`).waitFor();
    if (to === 2) expect(await axeFaults(page)).toEqual([]);
    await press('Enter');
    await choice.waitFor({ state: 'detached' });
    await page.locator('[role=option]:focus').waitFor();
    await press('ArrowRight');
  }
  await expect
    .poll(async () => (await shots()).map(({ joint, source }) => [joint, source]))
    .toEqual([
      [undefined, 'text'],
      ['continue', 'first'],
      ['continue', 'first'],
    ]);
  await press('Control+z');
  await page.getByText(`${labels.undone}: changed the joint to shot 3`).waitFor();
  await press('Control+Shift+Z');
  await page.getByText('Done again: changed the joint to shot 3').waitFor();
  expect((await shots())[2]?.joint).toBe('continue');
});

test('the chain is ordered whole at the price that is shown, before anything of it is made', async () => {
  const { page, host } = program;
  await host.ask('queue.pause');
  await tabTo(/^Shot 3, /);
  await press('ArrowLeft', 'ArrowLeft');
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
  await tabTo(/^Make shots 1–3 as a chain/);
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make shots 1–3?' });
  await program.canSend(starting(labels.makeTakes(3)));
  expect(await axeFaults(page)).toEqual([]);
  const shown = await dialog.locator('.price').first().textContent();
  await press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  const made = await jobs();
  const byShot = (await shots()).map(({ takes }) => made.find(({ id }) => id === takes[0]));
  expect(byShot.map((job) => job?.dependsOn)).toEqual([[], [byShot[0]?.id], [byShot[1]?.id]]);
  const reserved = made.reduce((sum, { money }) => sum + money.reservedNano, 0);
  const low = made.reduce((sum, { money }) => sum + money.estimateLowNano, 0);
  expect(shown).toBe(rangeText(low, reserved));
  await host.ask('queue.resume');
  await all('succeeded');
  expect(await expectBill()).toBe(reserved);
  await expect.poll(async () => (await jobs()).filter(({ inputs }) => inputs?.[0]?.sha256).length).toBe(2);
});

test('another take of the first shot makes those behind it stale; kept, they are not; redone, they start from it', async () => {
  const { page } = program;
  await tabTo(/^Shot 1, /);
  await program.canSend(starting(labels.makeTake(2)));
  await program.made('video', () => press('Control+Enter'));
  await tabTo(starting(labels.takesOfShot(1)));
  await press('Enter');
  const line = page.getByText('Shot 1 now uses take 2, so 2 and 3 no longer start where it ends.');
  await line.waitFor();
  await page.getByText('2 stale').waitFor();
  await tabTo(starting(labels.keepAsTheyAre(2)));
  await press('Enter');
  await line.waitFor({ state: 'detached' });
  await press('Control+z');
  await page.getByText(`${labels.undone}: kept shot 2 as it is`).waitFor();
  await line.waitFor();

  const button = page.getByRole('button', { name: /^Redo 2 and 3/, disabled: false });
  await button.waitFor();
  const shown = await button.locator('.price').textContent();
  const before = (await jobs()).map(({ id }) => id);
  await tabTo(/^Redo 2 and 3/);
  await press('Enter');
  await expect.poll(async () => (await jobs()).length).toBe(before.length + 2);
  const redone = (await jobs()).filter(({ id }) => !before.includes(id));
  const estimate = redone.reduce((sum, { money }) => sum + money.estimateNano, 0);
  expect(shown).toBe(
    rangeText(
      redone.reduce((sum, { money }) => sum + money.estimateLowNano, 0),
      estimate,
    ),
  );
  await all('succeeded');
  await line.waitFor({ state: 'detached' });
  const [one, two, three] = await shots();
  expect([two?.image, three?.image]).toEqual([
    { jobId: one?.activeTake, frame: 'last' },
    { jobId: two?.activeTake, frame: 'last' },
  ]);
  await expect.poll(() => page.getByText('stale', { exact: true }).count()).toBe(0);
  const total = (await jobs()).reduce((sum, { money }) => sum + money.chargedNano, 0);
  expect(await expectBill()).toBe(total);
});

test('ordered for tonight, the chain waits for the night whole; then each take waits for the frame of the one before', async () => {
  const { page, host } = program;
  const billed = (await program.bill()).totalNano;
  const plan = (startsIn: number) => {
    const start = Date.now() + startsIn;
    return host.ask('night.plan', { start: hourOf(start), end: hourOf(start + 12 * HOUR), capNano: 1_000_000_000_000 });
  };
  await plan(HOUR);
  const before = (await jobs()).map(({ id }) => id);
  await tabTo(/^Shot 1, /);
  await tabTo(/^Make shots 1–3 as a chain/);
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make shots 1–3?' });
  await program.canSend(starting(labels.tonight));
  const shown = await dialog.locator('.price').first().textContent();
  await tabTo(starting(labels.tonight));
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const newest = (await shots()).map(({ takes }) => takes.at(-1) ?? '');
  const chain = async () => {
    const found = await jobs();
    return newest.flatMap((id) => found.find((job) => job.id === id) ?? []);
  };
  const planned = await chain();
  expect((await jobs()).length).toBe(before.length + 3);
  expect(planned.map(({ state, reason }) => [state, reason])).toEqual([
    ['blocked', 'window'],
    ['blocked', 'dependency'],
    ['blocked', 'dependency'],
  ]);
  expect(planned.every(({ runId }) => runId === planned[0]?.runId && runId !== undefined)).toBe(true);
  const sum = (of: (job: Job) => number) => planned.reduce((total, job) => total + of(job), 0);
  const reserved = sum(({ money }) => money.reservedNano);
  expect(shown).toBe(
    rangeText(
      sum(({ money }) => money.estimateLowNano),
      reserved,
    ),
  );
  expect((await program.bill()).totalNano).toBe(billed);

  await plan(-HOUR);
  await all('succeeded');
  const made = await chain();
  for (const [index, job] of made.entries()) {
    const source = made[index - 1];
    expect(job.dependsOn).toEqual(source ? [source.id] : []);
    if (!source) continue;
    expect(job.sentAt).toBeGreaterThanOrEqual(source.finishedAt ?? Number.POSITIVE_INFINITY);
    const clip = await host.ask('library.get', { id: source.outputs[0]?.id ?? '' });
    const frame = await host.ask('library.get', { id: clip.lastFrameId ?? '' });
    expect(job.inputs).toEqual([expect.objectContaining({ field: 'image', jobId: source.id, sha256: frame.sha256 })]);
  }
  expect(await expectBill()).toBe(billed + reserved);
  const { current } = await host.ask('night.get');
  expect(current?.jobs).toEqual({ waiting: 0, underWay: 0, ended: 3 });
  expect(program.complaints).toEqual([]);
});
