import { afterAll, beforeAll, expect, test } from 'vitest';
import { arrived } from '../helpers/browser.ts';
import { labels, starting, whole } from '../labels.ts';
import { fillFilm } from './filledStudio.ts';
import { Keyboard } from './keyboard.ts';
import { Program } from './program.ts';

/** The board and its tabs by keyboard alone: nothing clicks, and no script activates a control. */

let program: Program;
let keys: Keyboard;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  keys = new Keyboard(program);
  projectId = await fillFilm(program.host);
  await program.page.reload();
  await program.page.getByRole('navigation', { name: labels.pages }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const board = () => program.host.ask('storyboard.get', { projectId });
const heading = (name: string | RegExp) => program.page.getByRole('heading', { name, exact: true }).waitFor();
const button = (name: string | RegExp) => program.page.getByRole('button', { name, exact: true }).waitFor();
const dialog = (name: string | RegExp) => program.page.getByRole('dialog', { name }).waitFor();
const gone = () => program.page.locator('.dlg').waitFor({ state: 'detached' });

/** Goes to the cards, then by arrow keys to one of them. */
async function toShot(number: number): Promise<void> {
  await keys.tabTo(/^Shot \d, /);
  const at = Number(/\d/.exec(await keys.focused())?.[0]);
  for (let step = 0; step < Math.abs(number - at); step++) await keys.press(number > at ? 'ArrowRight' : 'ArrowLeft');
  expect(await keys.focused()).toMatch(new RegExp(`^Shot ${number}, `));
}

test('a film is started: its first shot is made, the second continues it, is moved, removed and restored', async () => {
  const { host, page } = program;
  await keys.press('Alt+1');
  await keys.choose(/^Project: /, starting(labels.newProject));
  await page
    .getByRole('textbox', { name: labels.promptOfShot(1) })
    .and(page.locator(':focus'))
    .waitFor();
  const harbour = projectId;
  const { projects } = await host.ask('projects.list');
  projectId = projects.find(({ name }) => name === 'Untitled film')?.id ?? '';
  await keys.check('in a new film');
  await keys.type('A lighthouse in a storm');
  await program.canSend(starting(labels.makeTake(1)));
  const job = await program.made('video', () => keys.press('Control+Enter'));
  expect(job.state).toBe('succeeded');
  await page.locator('video:not([hidden])[src]').waitFor();
  await keys.check('after the order');

  await keys.choose(whole(labels.shotMenu), starting(labels.nextShotFromItsLast));
  await heading(labels.shotN(2));
  await keys.check('after the next shot was begun');
  await keys.press('Alt+ArrowLeft');
  await heading(labels.shotN(1));
  await keys.press('Alt+ArrowRight');
  await heading(labels.shotN(2));
  await toShot(1);
  await keys.press('Delete');
  await keys.see(/” was removed\.$/);
  await keys.check('after a shot was removed');
  await keys.choose(whole(labels.filmMenu), starting(labels.removedShotsN(1)));
  await dialog(labels.removedShots);
  await keys.open(/^Restore “A lighthouse/);
  await keys.see(labels.noRemovedShots);
  await keys.press('Escape');
  await gone();
  await keys.check('after it was put back');
  const { shots } = await board();
  expect(shots.map(({ source, image }) => [source, image])).toEqual([
    ['text', undefined],
    ['first', { jobId: job.id, frame: 'last' }],
  ]);
  await keys.choose(/^Project: /, /^Harbour/);
  projectId = harbour;
  await page.getByRole('option', { name: /^Shot 4, / }).waitFor();
});

test('the film is played, stepped by frames and seconds, and rated; in a text field Ctrl Z undoes typing', async () => {
  const { page } = program;
  const at = (time: string) => page.getByTitle(time, { exact: true }).waitFor();
  await toShot(1);
  await keys.press('Shift+ArrowRight');
  await at('00:00:01:00');
  await keys.press('Shift+ArrowLeft');
  await at('00:00:00:00');
  await keys.press('.', '.');
  await at('00:00:00:02');
  await keys.press(',', ',');
  await at('00:00:00:00');
  await keys.press('k');
  await button(labels.pause);
  await keys.press('k');
  await button(labels.play);
  await keys.press('m');
  await page
    .getByText(/^Take \d of shot 1, Maybe, Selected take/)
    .first()
    .waitFor({ state: 'attached' });

  const field = page.getByRole('textbox', { name: labels.promptOfShot(1) });
  await keys.tabTo(starting(labels.promptOfShot(1)));
  const before = await field.inputValue();
  await keys.type('At dawn ');
  await keys.press('Control+z');
  const after = await field.inputValue();
  expect(after.endsWith(before) && after.length < 'At dawn '.length + before.length).toBe(true);
  expect(await page.getByRole('status').getByText(starting(labels.undone)).count()).toBe(0);
});

test('the links are one Tab stop: arrow keys move between them, and one is opened', async () => {
  await toShot(1);
  await keys.tabTo(/^Link to shot 2: /);
  for (const name of [/^Link to shot 3: /, /^Link to shot 4: /]) {
    await keys.press('ArrowRight');
    expect(await keys.focused()).toMatch(name);
  }
  await keys.press('Enter');
  const menu = program.page.getByRole('menu', { name: /^Link shot 3 to shot 4$/ });
  await menu.waitFor();
  await keys.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await keys.check('after the link');
});

test('two takes play in sync, one is heard, and Keep selects it; one undo takes that back', async () => {
  const { page } = program;
  await toShot(1);
  await keys.press('a');
  const rated = (take: number) => button(starting(labels.keepN(`take ${take}`)));
  await rated(2);
  await keys.check('on the review');
  await keys.press('t');
  await page.getByText(/LUFS/).first().waitFor();
  await keys.press('1');
  await rated(1);
  await keys.press('2');
  await rated(2);
  const videos = `[...document.querySelectorAll('main video')]`;
  await keys.press('k');
  await button(labels.pause);
  await expect.poll(() => page.evaluate(`Math.min(...${videos}.map((one) => one.currentTime))`)).toBeGreaterThan(0.5);
  await keys.press('k');
  await button(labels.play);
  const times = await page.evaluate<number[]>(`${videos}.map((one) => one.currentTime)`);
  expect(times).toHaveLength(2);
  expect(Math.abs((times[0] ?? 0) - (times[1] ?? 9))).toBeLessThan(0.5 / 24);
  expect(await page.evaluate(`${videos}.map((one) => one.muted).toSorted()`)).toEqual([false, true]);

  const playing = async () => (await board()).shots[0]?.activeTake;
  const old = await playing();
  await keys.press('y');
  await keys.see(labels.nothingLeftToReview);
  await expect.poll(playing).not.toBe(old);
  await keys.check('where nothing is left to review');
  await keys.press('Control+z');
  await rated(2);
  await expect.poll(playing).toBe(old);
  await keys.press('Escape');
  await arrived(page, 'storyboard');
});

test('a break of continuity is found, shown in four views, played, and fixed at the shown price', async () => {
  const { page } = program;
  await toShot(4);
  await keys.press('s');
  await heading(labels.jointTo(3, 4));
  await keys.see(/\b1 jump/);
  await keys.press('ArrowLeft');
  await heading(labels.jointTo(2, 3));
  await keys.press('n');
  await heading(labels.jointTo(3, 4));
  for (const [key, name] of [
    ['w', 'Wipe'],
    ['d', 'Difference'],
    ['f', 'Flicker'],
    ['p', 'Pair'],
  ] as const) {
    await keys.press(key);
    await page.getByRole('radio', { name, checked: true }).waitFor();
  }
  await keys.press('k');
  await button(labels.pause);
  // Both sides play by the clock, whether or not frames are drawn.
  const played = `Math.min(...[...document.querySelectorAll('main video')].map((video) => video.played.length))`;
  await expect.poll(() => page.evaluate(played)).toBeGreaterThan(0);
  await keys.press('k');
  await button(labels.play);
  await keys.press('l');
  await button(labels.pause);
  await keys.press(',');
  await button(labels.play);

  await page.locator('.ways').getByRole('button', { name: labels.continueAgain, disabled: false }).waitFor();
  await keys.press('1');
  await program.canSend(/^Continue again.*Ctrl/);
  const before = (await program.bill()).totalNano;
  const job = await program.made('video', () => keys.press('Control+Enter'));
  expect(job).toMatchObject({ state: 'succeeded', request: { image: { frame: 'last' } } });
  expect((await program.bill()).totalNano - before).toBe(job.money.estimateNano);
});

test('at 1024 no row of a link’s graphs overflows its height', async () => {
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  const [looked, over] = await page.evaluate<[number, string[]]>(`(() => {
    const graphs = [...document.querySelectorAll('main svg[preserveAspectRatio=none]')].map((one) => one.parentElement);
    const all = graphs.flatMap(({ previousElementSibling: before, nextElementSibling: after }) => [before, after]);
    const over = all.filter((one) => one.scrollHeight > one.parentElement.clientHeight);
    return [all.length, over.map((one) => one.textContent)];
  })()`);
  expect(looked).toBeGreaterThan(0);
  expect(over).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a cast member is added and mentioned in a shot by @; a box that is moved is measured again', async () => {
  const { page } = program;
  await keys.press('c');
  await button(labels.addToTheCast);
  await keys.open(starting(labels.addToTheCast));
  // The name of a new member is selected, so that typing replaces it.
  await page.locator('input:focus').waitFor();
  await keys.type('Gull');
  await keys.press('Enter');
  await heading('Gull');
  await keys.write(whole(labels.description), 'white, loud');
  await expect.poll(async () => (await board()).cast?.at(-1)).toMatchObject({ name: 'Gull', words: 'white, loud' });

  await keys.open(/^Shot 3, On the pier/);
  await heading(labels.slotsOfShot(3));
  await keys.tabTo(starting(labels.promptOfShot(3)));
  await keys.press('Control+End');
  await keys.type(' A @gu');
  await page.getByRole('option', { name: /^Gull/ }).waitFor();
  await keys.press('Enter');
  await keys.type('above.');
  await expect.poll(async () => (await board()).shots[2]?.prompt).toBe('@Ines on the pier A @Gull above.');

  // Measured by the media page from the bytes of take and reference image.
  const figures = page.getByRole('button', { name: /^Ines in shot 3: Reference 1, ΔE \d+\.\d, shape \.\d\d/ });
  await figures.waitFor();
  const measured = await figures.textContent();
  await keys.open(whole(labels.boxOf('Ines')));
  await dialog(/^Where Ines is in take/);
  await keys.tabTo(/^Width/);
  for (let step = 0; step < 43; step++) await keys.press('ArrowLeft');
  await keys.open(whole(labels.saveBox));
  await gone();
  await keys.check('after the box');
  const box = async () => (await board()).shots[2]?.castBoxes?.ines;
  await expect.poll(box).toMatchObject({ frame: 'first', width: 0.07 });
  await expect.poll(() => figures.textContent()).not.toBe(measured);
  await keys.press('Control+z');
  await expect.poll(box).toBeUndefined();
});

test('the focus was always visible, and the page reported no errors', () => {
  expect([...keys.unseen]).toEqual([]);
  expect(program.complaints).toEqual([]);
});
