import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxOf } from '../helpers/browser.ts';
import { probeFilm } from '../helpers/ffprobe.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** A take is trimmed by keyboard, played, and exported as shown. Nothing costs anything. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  const { page } = program;
  await page.getByRole('button', { name: starting(labels.openTheSampleFilm) }).click();
  await page.getByRole('option', { name: /^Shot 5, / }).waitFor();
  // The same film with only two shots: 6 s and 4 s.
  const board = await boardNow();
  await program.host.ask('storyboard.save', { ...board, shots: board.shots.slice(0, 2) });
  await page.getByRole('option', { name: /^Shot 3, / }).waitFor({ state: 'detached' });
});
afterAll(() => program?.stop());

async function boardNow() {
  const { projects } = await program.host.ask('projects.list');
  return program.host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' });
}
const film = () => program.page.getByRole('slider', { name: labels.timeOfTheFilm });
const valueAt = async (field: 'valuenow' | 'valuemax') => Number(await film().getAttribute(`aria-${field}`));
const press = (key: string) => program.page.keyboard.press(key);
/** Moves a second ahead and waits for the playhead. */
async function secondOn(to: number): Promise<void> {
  await press('Shift+ArrowRight');
  await expect.poll(() => valueAt('valuenow')).toBeCloseTo(to + 0.5 / 24, 1);
}

test('I and O set the in and out point at the playhead, and the film gets shorter by that', async () => {
  await press('Home');
  const whole = await valueAt('valuemax');
  await secondOn(1);
  await press('i');
  await expect.poll(() => valueAt('valuemax')).toBeCloseTo(whole - 1, 2);
  await secondOn(1);
  await press('o');
  await expect.poll(() => valueAt('valuemax')).toBeCloseTo(4 + 25 / 24, 2);
  await expect.poll(async () => (await boardNow()).shots[0]?.trims).toMatchObject([{ inMs: 1_000, outMs: 2_042 }]);
  await program.page.getByText('Selected take, 1 s', { exact: false }).waitFor();
});

test('the trimmed take plays from in to out point, then the next shot plays', async () => {
  const { page } = program;
  const seen = `[...document.querySelectorAll('[role=img] > video')].find((video) => !video.hidden)?.currentTime ?? -1`;
  await press('Home');
  await expect.poll(() => page.evaluate<number>(seen)).toBeCloseTo(1 + 0.5 / 24, 1);
  await press('k');
  await page.getByRole('option', { name: /^Shot 2, /, selected: true }).waitFor();
  await press('k');
  const at = await valueAt('valuenow');
  expect(at).toBeGreaterThanOrEqual(25 / 24 - 0.05);
});

test('undo removes the out point, and redo sets it again', async () => {
  const trimmed = await valueAt('valuemax');
  await press('Control+z');
  await expect.poll(() => valueAt('valuemax')).toBeGreaterThan(trimmed + 1);
  await press('Control+Shift+z');
  await expect.poll(() => valueAt('valuemax')).toBe(trimmed);
});

test('a handle can be dragged, and moved frame by frame with arrow keys', async () => {
  const { page } = program;
  const handle = page.getByRole('slider', { name: labels.outPointOf(1), exact: true });
  await press('Home');
  await handle.waitFor();
  const [strip, grip] = await Promise.all([boxOf(film()), boxOf(handle)]);
  const from = { x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + strip.width / (4 + 25 / 24), from.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeCloseTo(49 / 24 + 1, 1);
  await press('Control+z');
  await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeCloseTo(49 / 24, 2);
  await handle.focus();
  await press('ArrowRight');
  await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeCloseTo(50 / 24, 2);
  await press('ArrowLeft');
  await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeCloseTo(49 / 24, 2);
});

test('the export page says why the film is encoded, and the film has exactly the played frames', async () => {
  const { page } = program;
  await press('Control+e');
  await page.getByRole('radio', { name: /re-encoded/, checked: true }).waitFor();
  await page.getByRole('row', { name: /^1 / }).getByText('trimmed', { exact: false }).waitFor();
  await page.getByText('Shot 1 is trimmed, and a part of a clip has to be encoded.').first().waitFor();
  await press('Control+Enter');
  await page.getByRole('button', { name: starting(labels.showInFolder) }).waitFor();
  const [made] = (await program.host.ask('exports.list')).exports;
  expect(made).toMatchObject({ state: 'done', mode: 'encode' });
  const name = made?.files.find(({ name }) => /^[^/]+\.mp4$/.test(name))?.name ?? '';
  const { streams, complaints } = await probeFilm(path.join(made?.folder ?? '', name));
  const frames = Number(streams.find(({ codec_type }) => codec_type === 'video')?.nb_read_frames);
  expect([complaints, frames]).toEqual(['', 25 + 4 * 24]);
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
