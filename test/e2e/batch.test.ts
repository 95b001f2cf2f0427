import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatNanoRange } from '../../src/shared/money.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { readAndMend } from './batchSteps.ts';
import { Program } from './program.ts';

/** Many jobs from one text, mended and queued with the keyboard alone: no test here moves the mouse. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await program.page.keyboard.press(key);
};

/** A header, 200 lines of four kinds of work, three of them wrong. */
function text(): string {
  const lines = Array.from({ length: 200 }, (_, index) => {
    if (index === 20) return 'video,The lights go,video-standard,5';
    if (index === 90) return 'video,Open sea,video-ultra,6';
    if (index === 150) return 'poem,A poem of the sea,,';
    if (index === 199) return 'imagine,"A quay in {rain|fog}, {sodium|mercury} lamps",,';
    return index % 2 === 0
      ? `video,Harbour ${index},video-standard,${[4, 6, 8][index % 3]}`
      : `imagine,Lamp ${index},,`;
  });
  return ['kind,prompt,model,seconds', ...lines].join('\n');
}

test('a text with three wrong lines is mended by F8 and its cures', async () => {
  const { page, host } = program;
  await page.getByRole('button', { name: labels.startInTheSandbox }).waitFor();
  await program.tabTo(starting(labels.startInTheSandbox));
  await press('Enter');
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await host.ask('queue.pause');
  await press('Alt+4');
  await page.getByRole('button', { name: starting(labels.import) }).waitFor();
  await press('i');
  await readAndMend(program, text());
  await program.canSend(starting(labels.queueJobs(203)));
  expect(await axeFaults(page)).toEqual([]);
});

test('it is queued whole, and what was seen is what is reserved', async () => {
  const { page, host } = program;
  const { rows, good } = await host.ask('batch.read', { text: text(), format: 'csv' });
  expect([rows.length, good]).toEqual([100, 200]);
  const bar = page.locator('.batch-side .sendbar');
  const shown = await bar.locator('.price').first().textContent();
  await press('Control+Enter');
  await page.getByRole('listbox', { name: labels.jobs }).waitFor();
  const { total, jobs } = await host.ask('jobs.list', { order: 'queue', limit: 500 });
  const { sum } = await host.ask('ledger.totals', { groupBy: 'kind' });
  const low = jobs.reduce((nano, { money }) => nano + (money.estimateLowNano ?? money.estimateNano), 0);
  expect(total).toBe(203);
  expect(shown).toBe(formatNanoRange(low, sum.reservedNano));
  expect(jobs.map(({ request }) => ('prompt' in request ? request.prompt : ''))).toEqual([
    ...text()
      .split('\n')
      .slice(1, 200)
      .map((line) => line.split(',')[1]),
    'A quay in rain, sodium lamps',
    'A quay in rain, mercury lamps',
    'A quay in fog, sodium lamps',
    'A quay in fog, mercury lamps',
  ]);
});

test('the page had nothing to complain about', () => {
  expect(program.complaints).toEqual([]);
});
