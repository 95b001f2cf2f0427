import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** Many jobs of the queue by keyboard alone: chosen, moved, planned, canceled, requested again; one is edited, a lane is paused. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]) => {
  for (const key of keys) await program.page.keyboard.press(key);
};

const promptsInLine = async (): Promise<string[]> => {
  const { jobs } = await program.host.ask('jobs.list', { order: 'queue', states: ['queued', 'blocked'], limit: 500 });
  return jobs.map(({ request }) => ('prompt' in request ? (request.prompt ?? '') : ''));
};

const bar = () => program.page.getByRole('region', { name: 'Chosen jobs' });
const inDialog = (name: RegExp) => program.page.getByRole('dialog').getByRole('button', { name, disabled: false });

/** Runs in the page. */
function countPointers(): void {
  const page = globalThis as unknown as {
    pointers: number;
    addEventListener(type: string, heard: () => void, capture: boolean): void;
  };
  page.pointers = 0;
  page.addEventListener('pointerdown', () => (page.pointers += 1), true);
}

test('a queue is put in order, planned, canceled and filled again without a pointer', async () => {
  const { host, page } = program;
  await host.ask('queue.pause', {});
  const names = ['zero', 'one', 'two', 'three', 'four', 'five'];
  await host.ask('jobs.enqueue', { requests: names.map((prompt) => ({ kind: 'imagine', prompt })) });
  await host.ask('night.plan', { start: '23:00', end: '07:00', capNano: 50_000_000_000 });
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.evaluate(countPointers);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+4');
  await page.getByText('zero').first().waitFor();
  await program.tabTo(/^Jobs$/);

  await press('Home', 'Shift+ArrowDown');
  await bar().getByText('2 jobs chosen, 2 wait').waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('Alt+End');
  await expect.poll(promptsInLine).toEqual(['two', 'three', 'four', 'five', 'zero', 'one']);
  await page.locator('.qrow', { hasText: 'zero' }).getByText('5th').waitFor();
  await press('Alt+ArrowUp');
  await expect.poll(promptsInLine).toEqual(['two', 'three', 'four', 'zero', 'one', 'five']);

  await press('Shift+Enter');
  await inDialog(/Plan 2 for the night/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('Control+Enter');
  await expect.poll(async () => (await host.ask('jobs.chosen', { filter: {} })).inNight).toBe(2);

  await program.tabTo(/^Jobs$/);
  await press('Home', 'e');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Words' }).focus();
  await press('Control+A');
  await page.keyboard.type('another two');
  await inDialog(/Save the change/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('Control+Enter');
  await expect.poll(promptsInLine).toEqual(['another two', 'three', 'four', 'zero', 'one', 'five']);

  await program.tabTo(/^Jobs$/);
  await press('Control+A');
  await bar().getByText('6 jobs chosen').waitFor();
  await bar()
    .getByRole('button', { name: /^Cancel 6/ })
    .waitFor();
  await press('Delete');
  await inDialog(/^Cancel 6 jobs$/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await program.tabTo(/^Cancel 6 jobs$/);
  await press('Enter');
  await expect.poll(promptsInLine).toEqual([]);

  await program.tabTo(/^Jobs$/);
  await press('Control+A');
  await bar()
    .getByRole('button', { name: /^Retry 6/ })
    .waitFor();
  await press('r');
  await inDialog(/Request 6 again/).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await press('Control+Enter');
  await expect.poll(async () => (await promptsInLine()).length).toBe(6);

  await program.tabTo(/^Pause images/);
  await press('Enter');
  await page.getByRole('button', { name: /^Resume images/ }).waitFor();
  expect((await host.ask('queue.status')).lanes.find(({ kind }) => kind === 'image')).toMatchObject({ paused: true });
  expect((await program.bill()).entries).toEqual([]);
  expect(await page.evaluate(() => (globalThis as unknown as { pointers: number }).pointers)).toBe(0);
  expect(program.complaints).toEqual([]);
});
