import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** A matrix of posters by keyboard alone: cut, priced, made, compared, recalled and remixed; what is left out is never billed. */

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
const TEXT = 'A ferry poster in {rain|sleet|fog}, {sodium|mercury|no} lamps, {near|far} --ar 2:3 --seed 4';
const grid = (name: string) => program.page.getByRole('grid', { name });
const prompt = () => program.page.getByRole('textbox', { name: 'Prompt', exact: true });
const imagined = async () => (await program.host.ask('jobs.list', { kinds: ['imagine'], limit: 100 })).jobs;
const madeCount = async () => (await imagined()).filter(({ state }) => state === 'succeeded').length;

test('eighteen posters are cut to twelve by a heading, and the twelve are priced', async () => {
  const { host, page } = program;
  await host.ask('settings.set', { welcomed: true });
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+3');
  await page.getByText('No picture yet').waitFor();
  await prompt().focus();
  await page.keyboard.type(TEXT);
  await page.getByText('18 of 18', { exact: true }).waitFor();
  await program.tabTo(/^A ferry poster in rain, sodium lamps, near/);
  await press('ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'Space');
  await page.getByText('12 of 18', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'All with no', exact: true, pressed: false }).waitFor();
  expect(
    await grid('Prompts of the matrix')
      .getByRole('button', { pressed: false, name: /^A ferry/ })
      .count(),
  ).toBe(6);
  await program.canSend(/^Imagine 12/);
  expect(await axeFaults(page)).toEqual([]);
});

test('they are one order and stand in their places', async () => {
  const { page } = program;
  const [price] = await page.locator('.sendbar .price').allTextContents();
  await press('Control+Enter');
  await grid('Pictures of the matrix').waitFor();
  await expect.poll(madeCount).toBe(12);
  const { totalNano, entries } = await program.bill();
  expect(entries).toHaveLength(12);
  expect(entries.filter(({ prompt: sent }) => sent.includes('no lamps'))).toEqual([]);
  expect(price).toBe(`$${(totalNano / 1e9).toFixed(2)}`);
  const pictures = grid('Pictures of the matrix');
  await expect.poll(() => pictures.locator('img').count()).toBe(12);
  expect(await pictures.getByRole('button', { name: 'left out' }).count()).toBe(6);
});

test('two are chosen in the grid and compared in every way', async () => {
  const { page } = program;
  await program.tabTo(/^A ferry poster in rain, sodium lamps, near/);
  await press('Space', 'ArrowRight', 'Space');
  await page.getByRole('button', { name: /^Compare 2/, disabled: false }).waitFor();
  await press('c');
  const differs = page.getByRole('table', { name: 'What differs' });
  await differs.getByRole('rowheader', { name: 'Prompt' }).waitFor();
  expect(await differs.getByRole('rowheader', { name: 'Mode' }).count()).toBe(0);
  const stage = page.getByRole('region', { name: 'Compared pictures' });
  await press('1');
  await page.getByRole('slider', { name: 'A left, B right' }).waitFor();
  await press('3');
  await stage.getByText('black is equal').waitFor();
  await press('4');
  await stage.getByText('B over it, 50 %').waitFor();
  await press('2');
  await stage.getByAltText(/^B: /).waitFor();
  expect(await axeFaults(page)).toEqual([]);
});

test('one is recalled with its seed, remixed without it, and sent once', async () => {
  const { host } = program;
  await program.tabTo(/^Recall all/);
  await press('Enter');
  await expect.poll(() => prompt().inputValue()).toBe('A ferry poster in rain, sodium lamps, near --ar 2:3 --seed 4');
  await program.tabTo(/^Remix, all but the seed/);
  await press('Enter');
  await expect.poll(() => prompt().inputValue()).toBe('A ferry poster in rain, sodium lamps, near --ar 2:3');
  await program.canSend(/^Imagine/);
  const job = await program.made('imagine', () => press('Control+Enter'));
  expect(job).toMatchObject({
    state: 'succeeded',
    request: { prompt: 'A ferry poster in rain, sodium lamps, near --ar 2:3' },
  });
  const bill = await program.bill();
  expect(bill.entries).toHaveLength(13);
  expect(await imagined()).toHaveLength(13);
  const { sum } = await host.ask('ledger.totals', { groupBy: 'kind', play: true });
  expect(sum.settledNano).toBe(bill.totalNano);
  expect(program.complaints).toEqual([]);
});
