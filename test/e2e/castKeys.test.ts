import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRequestOf, KINDS } from '../../src/shared/kinds/index.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { axeFaults } from './axe.ts';
import { castFilm } from './castFilm.ts';
import { Program } from './program.ts';

/** The cast of a film with the keyboard alone: no test here moves the mouse. */

let program: Program;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  ({ projectId } = await castFilm(program));
  await program.page.reload();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await program.page.keyboard.press(key);
};
const board = () => program.host.ask('storyboard.get', { projectId });
const saved = () => program.page.getByText('saved', { exact: true }).waitFor();

test('C opens the cast, and a member is added, named and described', async () => {
  const { page } = program;
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+2');
  await page.getByRole('tab', { name: 'Board' }).waitFor();
  await press('c');
  await page.getByRole('button', { name: 'Add to the cast' }).waitFor();
  await program.tabTo(/^Add to the cast/);
  await press('Enter');
  // The name of a new member is chosen, so that typing replaces it.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('Gull');
  await press('Enter');
  await page.getByRole('heading', { name: 'Gull' }).waitFor();
  await program.tabTo(/^Words of Gull/);
  await page.keyboard.type('white, loud');
  await expect.poll(async () => (await board()).cast?.at(-1)).toMatchObject({ name: 'Gull', words: 'white, loud' });
});

test('@ offers the cast in the words of a shot, and X swaps who is left out in', async () => {
  const { page } = program;
  await program.tabTo(/^Shot 3, On the pier/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Slots of shot 3' }).waitFor();
  await page.getByText('Left out', { exact: true }).waitFor();
  await press('x');
  await page.getByRole('button', { name: 'Harbour in shot 3: will be sent in slot 3' }).waitFor();
  await program.tabTo(/^Prompt of shot 3/);
  await press('Control+End');
  await page.keyboard.type(' A @gu');
  await page.getByRole('option', { name: /^Gull/ }).waitFor();
  await press('Enter');
  await page.keyboard.type('above.');
  await saved();
  const shot = (await board()).shots[2];
  expect(shot?.prompt).toBe('@Ines on the pier, back to us, as @the ferry leaves the @harbour. A @Gull above.');
  expect(shot?.slots?.held).toEqual(['port']);
});

test('a take is made at the shown price, and keeps what it was sent with', async () => {
  await program.canSend(/^Make take 1/);
  const job = await program.made('video', () => press('Control+Enter'));
  if (!isRequestOf(KINDS.video, job.request)) throw new Error('no video');
  expect(job.request.cast?.map(({ name, slot, leftOut }) => [name, slot, leftOut])).toEqual([
    ['Ines', 1, undefined],
    ['Wool coat', 2, undefined],
    ['Harbour', 3, undefined],
    ['The ferry', undefined, true],
    ['Gull', undefined, undefined],
  ]);
  expect(job.request.prompt).toContain('\nGull: white, loud');
  await program.page.getByText('Take 1 was sent with').waitFor();
  // Measured in the media page, from the bytes of take and sheet.
  const figures = /^Ines in shot 3: was sent in slot 1, colour \d+\.\d, shape \d\.\d\d from its sheet$/;
  await program.page.getByRole('button', { name: figures }).waitFor();
  const { entries } = await program.bill();
  expect(entries.filter(({ id }) => id === job.remoteId).map(({ nano }) => nano)).toEqual([job.money.chargedNano]);
});

test('another sheet makes the shot stale, Shift S shows it, and undo takes that back', async () => {
  const { page } = program;
  const known = await board();
  const [ines, , coat] = known.cast ?? [];
  const cast = known.cast?.map((member) => (member.id === 'ines' ? { ...member, sheets: coat?.sheets ?? [] } : member));
  await program.host.ask('storyboard.save', { ...known, cast: cast ?? [] });
  await page.getByText('Ines has another picture now, so 3 was made from a sheet that is not in use.').waitFor();
  await program.tabTo(/^Shot 1, /);
  await press('Enter');
  await page.getByRole('heading', { name: 'Slots of shot 1' }).waitFor();
  await press('Shift+S');
  await page.getByRole('heading', { name: 'Slots of shot 3' }).waitFor();
  await press('Control+z');
  await page.getByText('a sheet that is not in use').waitFor({ state: 'detached' });
  expect((await board()).cast?.[0]?.sheets).toEqual(ines?.sheets);
  await press('Control+Shift+Z');
  await page.getByText('a sheet that is not in use').waitFor();
});

test('the changed sheet stands beside the one that was sent, and what is kept as it is is stale no more', async () => {
  const { page } = program;
  await program.tabTo(/^Ines/);
  await press('Enter');
  const changed = page.getByRole('region', { name: 'Changed sheet of Ines' });
  await changed.getByText(/^ΔE \d/).waitFor();
  await changed.getByText('1 take of 3. Each keeps the picture it was sent with.').waitFor();
  await page.getByRole('button', { name: 'Keep as it is' }).click();
  await page.getByText('a sheet that is not in use').waitFor({ state: 'detached' });
  await expect.poll(async () => (await board()).shots[2]?.kept?.length).toBeGreaterThan(0);
  await press('Control+z');
  await page.getByText('a sheet that is not in use').waitFor();
});

test('what went stale is redone at the shown price, and the old take keeps the picture it was sent with', async () => {
  const { page } = program;
  await program.tabTo(/^Ines/);
  await press('Enter');
  await page.getByRole('heading', { name: 'Redo what went stale' }).waitFor();
  await program.canSend(/^Redo 3/);
  const [old] = (await board()).shots[2]?.takes ?? [];
  const before = await program.host.ask('jobs.get', { id: old ?? '' });
  const job = await program.made('video', () => press('Control+Enter'));
  await page.getByText('a sheet that is not in use').waitFor({ state: 'detached' });
  expect((await board()).shots[2]).toMatchObject({ takes: [old, job.id], activeTake: job.id });
  expect(await program.host.ask('jobs.get', { id: old ?? '' })).toEqual(before);
  const [ines, , coat] = (await board()).cast ?? [];
  expect(ines?.sheets).toEqual(coat?.sheets);
  expect(job.inputs?.map(({ assetId }) => assetId)).toContain(coat?.sheets[0]?.assetId);
  expect(job.money.chargedNano).toBe(before.money.chargedNano);
});

test('axe finds nothing with a shot, with a member, and with a box', async () => {
  const { page, host, browser } = program;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const other = await context.newPage();
  await other.goto(host.url);
  await other.getByRole('navigation', { name: 'Pages' }).waitFor();
  await other.keyboard.press('Alt+2');
  await other.getByRole('tab', { name: 'Board' }).waitFor();
  await other.keyboard.press('c');
  await other.getByRole('heading', { name: /^Slots of shot/ }).waitFor();
  expect(await axeFaults(other)).toEqual([]);
  await other.getByRole('button', { name: /^Ines/ }).first().press('Enter');
  await other.getByRole('heading', { name: 'Ines' }).waitFor();
  expect(await axeFaults(other)).toEqual([]);
  await other
    .getByRole('button', { name: /^Shot 3/ })
    .first()
    .press('Enter');
  await other.getByRole('button', { name: /box o[fn] Ines$/ }).press('Enter');
  await other.getByRole('dialog', { name: /^Where Ines is in take/ }).waitFor();
  expect(await axeFaults(other)).toEqual([]);
  await context.close();
  await page.bringToFront();
});

test('a box is placed in the take by keys, measures anew, and is one step of undo', async () => {
  const { page } = program;
  await program.tabTo(/^Shot 3/);
  await press('Enter');
  const figures = page.getByRole('button', { name: /^Ines in shot 3: .*colour/ });
  const before = await figures.textContent();
  await program.tabTo(/^Place a box on Ines$/);
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Where Ines is in take/ });
  await dialog.waitFor();
  await program.tabTo(/^Width of the box/);
  for (let step = 0; step < 43; step++) await press('ArrowLeft');
  await program.tabTo(/^Place the box$/);
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await board()).shots[2]?.castBoxes?.ines)
    .toMatchObject({ frame: 'first', width: 0.07 });
  await expect.poll(() => figures.textContent()).not.toBe(before);
  await press('Control+z');
  await expect.poll(async () => (await board()).shots[2]?.castBoxes).toBeUndefined();
});

test('no page complained', () => {
  expect(program.complaints).toEqual([]);
});
