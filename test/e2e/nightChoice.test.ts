import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { Job } from '../../src/shared/job.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { countMouse, type Hands, keys, mouseEvents } from './hands.ts';
import { Program } from './program.ts';

/** By keyboard alone a night is made to fit: the cheaper reading counts, a cheaper model makes what lacks money, and the report says both. */

const HOUR = 3_600_000;

let program: Program;
let hands: Hands;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  const { id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' });
  await host.ask('settings.set', { welcomed: true, projectId });
  await page.evaluate(`location.hash = '#/queue/night'`);
  await countMouse(page);
  hands = keys(page);
});
afterAll(async () => {
  await program?.stop();
});

const press = (key: string) => program.page.keyboard.press(key);
const field = (name: string) => program.page.getByRole('textbox', { name, exact: true });
const jobsOf = async (): Promise<Job[]> => (await program.host.ask('jobs.list', { limit: 100 })).jobs;
const video = (model: string) => ({
  ...{ kind: 'video' as const, model, prompt: `A quay at night, ${model}` },
  config: { durationSeconds: 4 as const },
});

test('under a cap that the cheaper reading counts, a cheaper model is chosen for what does not fit, at its price', async () => {
  const { page, host } = program;
  const now = Date.now();
  await hands.write(field(labels.from), hourOf(now + HOUR));
  await hands.write(field(labels.to), hourOf(now + 9 * HOUR));
  await hands.press(page.getByRole('combobox', { name: labels.whatCounts }));
  // The list is there before it takes keys.
  await page.getByRole('option', { name: labels.dearerReading }).and(page.locator(':focus')).waitFor();
  await press('ArrowDown');
  await page.getByRole('option', { name: labels.cheaperReading }).and(page.locator(':focus')).waitFor();
  await press('Enter');
  await page.getByText('the cheaper one counts against the cap').waitFor();
  await program.press(/^Arm night 1/, page.getByText(labels.armedCloseTheWindowNot));
  expect((await host.ask('night.get')).current).toMatchObject({ state: 'planned', capReading: 'low' });
  await host.ask('jobs.enqueue', { requests: [video('video-standard'), video('video-pro')], night: true });
  await page.getByText('2 jobs, end about').waitFor();
  await hands.write(field(labels.hardCap), '1.90');
  const list = page.getByRole('listbox', { name: labels.jobsOfTheNight });
  await list.getByText(labels.willNotFit).waitFor();
  await list.getByRole('button', { name: labels.waysOut }).waitFor();
  await program.tabTo(starting(labels.waysOut));
  await press('Enter');
  await hands.press(page.getByRole('menuitem', { name: /^Use video-standard/ }));
  await expect
    .poll(async () => (await jobsOf()).map(({ model }) => model))
    .toEqual(['video-standard', 'video-standard']);
  await page.getByText('2 jobs, end about').waitFor();
  await program.press(/^Change night 1/, async () => (await host.ask('night.get')).current?.capNano === 1_900_000_000);
  expect((await host.ask('night.get')).current).toMatchObject({ capReading: 'low' });
});

test('it runs, and its report says what counted and by which reading, as the ledger and the bill do', async () => {
  const { page, host } = program;
  await page.getByText(labels.armedCloseTheWindowNot).waitFor();
  await press('Shift+Enter');
  await page
    .getByRole('dialog', { name: labels.startNightNow(1) })
    .getByText(labels.jobsN(2))
    .waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await program.press(/^Start night 1/, page.getByRole('complementary', { name: labels.now }));
  await expect
    .poll(async () => (await host.ask('night.get')).current?.jobs)
    .toEqual({ waiting: 0, underWay: 0, ended: 2 });
  await press('p');
  const dialog = page.getByRole('dialog', { name: 'Stop Night 1?' });
  await dialog.waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await hands.press(dialog.getByRole('button', { name: labels.stopTheNight }));
  await expect.poll(async () => (await host.ask('night.get')).last?.state).toBe('ended');
  const report = await host.ask('night.report', {});
  await page.evaluate(`location.hash = '#/queue/night?run=${report.run.id}'`);
  await page
    .getByRole('region', { name: labels.night(1) })
    .getByText('counted, at the cheaper reading')
    .waitFor();
  const charged = (await jobsOf()).reduce((sum, { money }) => sum + money.chargedNano, 0);
  const low = (await jobsOf()).reduce((sum, { money }) => sum + money.chargedLowNano, 0);
  expect(report).toMatchObject({ made: 2, failed: 0, inDoubt: 0, notRun: 0 });
  expect(report.run).toMatchObject({ capReading: 'low', countedNano: low });
  expect(report.spent).toMatchObject({ settledNano: charged, settledLowNano: low, reservedNano: 0, uncertainNano: 0 });
  const { totalNano } = await program.bill();
  expect(totalNano).toBeGreaterThanOrEqual(low);
  expect(totalNano).toBeLessThanOrEqual(charged);
  expect(await mouseEvents(page)).toBe(0);
  expect(program.complaints).toEqual([]);
});
