import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { Job } from '../../src/shared/job.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { countMouse, mouseEvents } from './hands.ts';
import { Program } from './program.ts';

/** A night by keyboard alone: armed under a cap, run, stopped, judged; the report's figures are the ledger's and the service's bill. */

const HOUR = 3_600_000;

let program: Program;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  ({ id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' }));
  await host.ask('settings.set', { welcomed: true, projectId });
  const shots = ['A quay at night', 'A lamp in the rain'].map((prompt, at) => ({
    id: `s${at + 1}`,
    prompt,
    model: 'video-standard',
    config: { durationSeconds: 4 as const },
  }));
  const { revision } = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', { projectId, revision, shots });
  await program.made('video', () => host.ask('storyboard.makeTake', { projectId, shotId: 's1' }));
  await page.evaluate(`location.hash = '#/queue/night'`);
  await countMouse(page);
});
afterAll(async () => {
  await program?.stop();
});

const press = (key: string) => program.page.keyboard.press(key);
const shotsOf = async () => (await program.host.ask('storyboard.get', { projectId })).shots;
const jobOf = async (id: string): Promise<Job> => program.host.ask('jobs.get', { id });
const nightJobs = async (): Promise<Job[]> =>
  (await program.host.ask('jobs.list', { limit: 100 })).jobs.filter(({ runId }) => runId !== undefined);

async function write(name: string, text: string): Promise<void> {
  await program.page.getByRole('textbox', { name, exact: true }).focus();
  await press('Control+A');
  await program.page.keyboard.type(text);
}

test('it is armed under a cap with a price, and its plan is kept under a name', async () => {
  const { page, host } = program;
  const now = Date.now();
  await write(labels.from, hourOf(now + HOUR));
  await write(labels.to, hourOf(now + 9 * HOUR));
  await write(labels.hardCap, '30');
  await page.getByRole('button', { name: labels.saturday, exact: true }).focus();
  await press('Space');
  await page.getByText(labels.opensAgainByItself).waitFor();
  await press('Space');
  await program.press(/^Arm night 1/, page.getByText(labels.armedCloseTheWindowNot));
  expect(await axeFaults(page)).toEqual([]);
  const { current } = await host.ask('night.get');
  expect(current).toMatchObject({ state: 'planned', capNano: 30_000_000_000, days: [], start: hourOf(now + HOUR) });
  await page.getByRole('button', { name: labels.savePlan }).focus();
  await press('Enter');
  await page.keyboard.type('Weekend');
  await page.getByRole('button', { name: labels.save, exact: true }).focus();
  await press('Enter');
  await expect.poll(async () => (await host.ask('night.plans')).plans.map(({ name }) => name)).toEqual(['Weekend']);
});

test('the dry run lists what fits and what does not, with a cure that is applied by a key', async () => {
  const { page, host } = program;
  for (const shotId of ['s1', 's2']) await host.ask('storyboard.makeTake', { projectId, shotId, night: true });
  await host.ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A poster of a ferry' }], night: true });
  await page.getByText('3 jobs, end about').waitFor();
  await write(labels.hardCap, '0.01');
  const list = page.getByRole('listbox', { name: labels.jobsOfTheNight });
  await list.getByText(labels.willNotFit).waitFor();
  const cures = list.getByRole('button', { name: /^Cap to / });
  await cures.last().focus();
  await press('Enter');
  await page.getByText('3 jobs, end about').waitFor();
  // The order of the queue is the order of the night.
  const order = async () => (await host.ask('night.dryRun', {})).fits.map(({ jobId }) => jobId);
  const [one = '', two = '', three = ''] = await order();
  await list.focus();
  await press('ArrowDown');
  await press('Alt+ArrowDown');
  await expect.poll(order).toEqual([two, one, three]);
  const cap = async () => (await host.ask('night.get')).current?.capNano ?? 0;
  await program.press(/^Change night 1/, async () => (await cap()) < 30_000_000_000);
});

test('started now it runs, and stopped it reports what the ledger and the bill say', async () => {
  const { page, host } = program;
  await press('Shift+Enter');
  await page
    .getByRole('dialog', { name: labels.startNightNow(1) })
    .getByText(labels.jobsN(3))
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await program.press(/^Start night 1/, page.getByRole('complementary', { name: labels.now }));
  expect(await axeFaults(page)).toEqual([]);
  await expect
    .poll(async () => (await host.ask('night.get')).current?.jobs)
    .toEqual({ waiting: 0, underWay: 0, ended: 3 });
  await press('p');
  const dialog = page.getByRole('dialog', { name: 'Stop Night 1?' });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: labels.stopTheNight }).focus();
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(async () => (await host.ask('night.get')).last?.state).toBe('ended');
  const report = await host.ask('night.report', {});
  expect(report).toMatchObject({ made: 3, failed: 0, inDoubt: 0 });
  const bill = await program.bill();
  const own = new Set((await nightJobs()).map(({ remoteId }) => remoteId));
  const billed = bill.entries.filter(({ id }) => own.has(id)).reduce((sum, { nano }) => sum + nano, 0);
  const charged = (await nightJobs()).reduce((sum, { money }) => sum + money.chargedNano, 0);
  expect(report.spent).toMatchObject({ settledNano: charged, reservedNano: 0, uncertainNano: 0 });
  expect(charged).toBe(billed);
});

test('its takes are judged by keys beside what is kept: a keep plays, the last is taken back, and the end says what follows', async () => {
  const { page, host } = program;
  const { run } = await host.ask('night.report', {});
  await page.evaluate(`location.hash = '#/queue/night?run=${run.id}'`);
  await page.getByRole('button', { name: starting(labels.judgeTakes(3)) }).waitFor();
  await expect.poll(() => page.getByRole('listbox', { name: labels.whatWasMade }).getByRole('option').count()).toBe(3);
  expect(await axeFaults(page)).toEqual([]);
  await press('a');
  await page.getByRole('heading', { name: labels.judgeNight(1) }).waitFor();
  const [first, second] = await shotsOf();
  const [old = '', fresh = ''] = first?.takes ?? [];
  const [other = ''] = second?.takes ?? [];
  await page
    .getByRole('region', { name: labels.newTakesOfShot(1) })
    .getByText('2 solo')
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('y');
  await expect.poll(async () => (await jobOf(fresh)).verdict).toBe('keep');
  await expect.poll(async () => (await shotsOf())[0]?.activeTake).toBe(fresh);
  await press('Control+z');
  await expect.poll(async () => (await jobOf(fresh)).verdict).toBeUndefined();
  await press('y');
  await expect.poll(async () => (await jobOf(fresh)).verdict).toBe('keep');
  expect((await jobOf(old)).verdict).toBeUndefined();
  await press('Enter');
  await page.getByRole('region', { name: labels.newTakesOfShot(2) }).waitFor();
  await press('n');
  await expect.poll(async () => (await jobOf(other)).verdict).toBe('no');
  await press('Enter');
  await page.getByRole('region', { name: labels.others(1) }).waitFor();
  await press('m');
  await page.getByText('3 of 3 judged').waitFor();
  await press('Enter');
  await page.getByText(labels.allShotsAreThrough).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('Escape');
  await page.getByRole('button', { name: starting(labels.judgeTakes(3)) }).waitFor();
  await page.getByText(labels.allOfThemAreJudged).waitFor();
  const judged = await host.ask('night.report', { runId: run.id });
  expect(judged).toMatchObject({ made: 3, judged: 3, kept: 1 });
  expect(judged.sent.map(({ verdict }) => verdict).sort()).toEqual(['keep', 'maybe', 'no']);
  expect(await mouseEvents(page)).toBe(0);
  expect(program.complaints).toEqual([]);
});
