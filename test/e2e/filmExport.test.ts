import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Export } from '../../src/shared/film/filmExport.ts';
import { boxOf } from '../helpers/browser.ts';
import { probeFilm } from '../helpers/ffprobe.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** Exports the sample film through its page: by mouse, then by keyboard alone. Nothing costs anything. */

let program: Program;
beforeAll(async () => {
  program = await Program.start();
  await program.page.getByRole('button', { name: starting(labels.openTheSampleFilm) }).click();
  await program.page.getByRole('option', { name: /^Shot 5, / }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const exportsOf = async (): Promise<Export[]> => (await program.host.ask('exports.list')).exports;
const panel = () => program.page.getByRole('complementary', { name: labels.export });

test('by mouse: after the preflight, one click makes an MP4 with its timeline and shot list', async () => {
  const { page } = program;
  await page.getByRole('button', { name: starting(labels.exportFilm) }).click();
  await page.getByRole('heading', { name: labels.preflight }).waitFor();
  await page.getByText(/^Shot 4 is outdated/).waitFor();
  await page.getByRole('row', { name: /^5 / }).getByText('1280 × 720').waitFor();
  // Outdated takes can be made again here, with the price on the button.
  await page.getByRole('button', { name: /^Make shot 4 again.*\$/, disabled: false }).waitFor();
  await page.getByRole('radio', { name: /joined as it is/, checked: true }).waitFor();
  await panel()
    .getByRole('button', { name: starting(labels.export), disabled: false })
    .click();
  await page.getByRole('button', { name: starting(labels.showInFolder) }).waitFor();
  const [made, ...more] = await exportsOf();
  expect(more).toEqual([]);
  expect(made).toMatchObject({ kind: 'mp4', state: 'done', mode: 'join' });
  const names = made?.files.map(({ name }) => name) ?? [];
  expect(names.filter((name) => name.startsWith('media/'))).toHaveLength(5);
  expect(names.filter((name) => !name.includes('/')).map((name) => path.extname(name))).toEqual([
    '.mp4',
    '.fcpxml',
    '.csv',
    '.srt',
    '.vtt',
  ]);
  const film = path.join(made?.folder ?? '', names.find((name) => /^[^/]+\.mp4$/.test(name)) ?? '');
  expect((await probeFilm(film)).complaints).toBe('');
  expect(fs.readdirSync(made?.folder ?? '', { recursive: true }).some((name) => `${name}`.endsWith('.part'))).toBe(
    false,
  );
});

test('the panel describes the exported file from its content, and plays it', async () => {
  const { page } = program;
  await panel().getByText('1280 × 720', { exact: true }).waitFor();
  await panel().getByRole('button', { name: labels.play }).click();
  const at = `document.querySelector('aside video')?.currentTime ?? 0`;
  await expect.poll(() => page.evaluate(at)).toBeGreaterThan(0.2);
  await panel().getByRole('button', { name: labels.pause }).click();
  const back = panel().getByRole('button', { name: labels.newExport });
  if (await back.isVisible()) await back.click();
  await page.getByRole('radio', { name: /re-encoded/ }).waitFor();
});

/** Asserts that such elements exist and that none meets the condition. */
async function expectNone(selector: string, condition: string): Promise<void> {
  const [looked, found] = await program.page.evaluate<[number, string[]]>(`(() => {
    const all = [...document.querySelectorAll('${selector}')];
    return [all.length, all.filter((one) => ${condition}).map((one) => one.className)];
  })()`);
  expect([selector, looked > 0, found]).toEqual([selector, true, []]);
}

test('at 1024 the bar of the board ends where the inspector begins', async () => {
  const { page } = program;
  await page.setViewportSize({ width: 1024, height: 700 });
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: labels.board, exact: true }).waitFor();
  const takes = page.locator('main .bar:has([role=tablist]) > :last-child');
  const beside = page.locator('main > aside:last-of-type');
  await beside.waitFor();
  const [last, inspector] = await Promise.all([boxOf(takes), boxOf(beside)]);
  expect(last.x + last.width).toBeLessThanOrEqual(inspector.x);
  // The content below does not overflow either.
  await page.keyboard.press('t');
  await page.getByRole('toolbar', { name: labels.player }).waitFor();
  const over = `one.getBoundingClientRect().right > document.querySelector('main > aside:last-of-type').getBoundingClientRect().left + 1`;
  await expectNone(':has(> [role=toolbar]) > *', over);
  await expectNone('[role=toolbar] > *', over);
  await page.keyboard.press('Control+e');
  await page.getByRole('heading', { name: labels.preflight }).waitFor();
});

test.each([1024, 1440])('at %i nothing sticks out', async (width) => {
  const { page } = program;
  await page.setViewportSize({ width, height: 700 });
  await expectNone('main *', 'one.getBoundingClientRect().right > innerWidth + 1');
  const panels = [labels.preflight, labels.export].map((name) => `[data-panel][aria-label="${name}"]`);
  for (const part of panels.flatMap((one) => [one, `${one} .scroll`]))
    await expectNone(part, 'one.scrollWidth > one.clientWidth + 1');
  // A finding stays readable beside its buttons.
  expect((await boxOf(page.getByText(/^Shot 4 is outdated/))).width).toBeGreaterThan(120);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('by keyboard alone: a shot without a take is left out, and the film is encoded', async () => {
  const { page, host } = program;
  const { projects } = await host.ask('projects.list');
  const projectId = projects[0]?.id ?? '';
  const board = await host.ask('storyboard.get', { projectId });
  const { takes: _, activeTake: __, ...bare } = board.shots[4] ?? {};
  const shots = [...board.shots.slice(0, 2), { ...bare, id: 'hole', prompt: 'A hole', config: { durationSeconds: 4 } }];
  await host.ask('storyboard.save', { ...board, shots } as typeof board);
  const press = (key: string) => page.keyboard.press(key);
  await press('Escape');
  await page.getByRole('tab', { name: labels.board, exact: true }).waitFor();
  await press('Control+e');
  await page.getByText('Fix 1 problem first.').waitFor();
  await press('Control+Enter');
  await program.tabTo(starting(labels.leaveItOut));
  await press('Enter');
  await page.getByText(labels.shotIsLeftOut(3), { exact: true }).waitFor();
  await page.getByRole('radio', { name: /joined as it is/, checked: true }).waitFor();
  // The focused row is gone; F6 leads to the options from anywhere.
  const focused = page.locator('input[type=radio]:focus');
  for (let panel = 0; panel < 8 && (await focused.count()) === 0; panel++) await press('F6');
  await focused.waitFor();
  await press('ArrowDown');
  await page.getByRole('radio', { name: /re-encoded/, checked: true }).waitFor();
  const words = await panel().locator('label', { hasText: 're-encoded' }).textContent();
  const estimated = Number(/About .*?([\d.]+) MB$/.exec(words ?? '')?.[1]) * 1e6;
  await press('Control+Enter');
  await panel().getByRole('progressbar').waitFor();
  await page.getByRole('button', { name: starting(labels.showInFolder) }).waitFor();
  const [made] = await exportsOf();
  expect(made).toMatchObject({ state: 'done', mode: 'encode' });
  const film = made?.files.find(({ mime }) => mime === 'video/mp4')?.bytes ?? 0;
  // The estimate is off by at most a factor of two.
  expect(estimated / film).toBeGreaterThan(0.5);
  expect(estimated / film).toBeLessThan(2);
  await press('Escape');
  await page.getByRole('tab', { name: labels.board, exact: true }).waitFor();
});

test('a running export survives a reload, and Esc cancels it without leaving files', async () => {
  const { page } = program;
  // Without the media page the export runs until it is canceled.
  await page.route('**/media.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.evaluate(`location.hash = '#/storyboard'`);
  await page.reload();
  await page.getByRole('tab', { name: labels.board, exact: true }).waitFor();
  await page.keyboard.press('Control+e');
  await page.getByRole('radio', { name: /re-encoded/ }).check();
  await panel()
    .getByRole('button', { name: starting(labels.export), disabled: false })
    .click();
  await page.getByRole('button', { name: starting(labels.cancelExport) }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: starting(labels.cancelExport) }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await exportsOf())[0]?.state).toBe('canceled');
  const [made] = await exportsOf();
  expect(fs.existsSync(made?.folder ?? '')).toBe(false);
  expect((await program.bill()).totalNano).toBe(0);
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
