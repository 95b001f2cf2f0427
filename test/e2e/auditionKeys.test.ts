import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERDICT_WORDS } from '../../src/renderer/words/index.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** Takes are compared, one is kept and that is taken back with the keyboard alone. */

let program: Program;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  ({ id: projectId } = await host.ask('projects.create', { name: 'Harbour' }));
  await host.ask('settings.set', { welcomed: true, projectId });
  const { revision } = await host.ask('storyboard.get', { projectId });
  const shot = {
    id: 's1',
    prompt: 'A quay at night',
    model: 'video-standard',
    config: { durationSeconds: 4 as const, generateAudio: true },
  };
  await host.ask('storyboard.save', { projectId, revision, shots: [shot] });
  await make();
  await page.evaluate(`location.hash = '#/storyboard'`);
  await page.getByRole('heading', { name: 'Shot 1', exact: true }).waitFor();
});
afterAll(async () => {
  await program?.stop();
});

const make = () => program.made('video', () => program.host.ask('storyboard.makeTake', { projectId, shotId: 's1' }));
const shotNow = async () => (await program.host.ask('storyboard.get', { projectId })).shots[0];
const cell = (name: RegExp) => program.page.getByRole('button', { name });
const TIMES = `...[...document.querySelectorAll('.aud video')].map((video) => video.currentTime)`;
const press = (key: string) => program.page.keyboard.press(key);

test('with one take the audition says why there is none', async () => {
  await press('a');
  await program.page.getByText('Shot 1 has one that is done').waitFor();
});

test('two takes play in sync by one clock, and the levels are said in numbers', async () => {
  const { page } = program;
  await make();
  await cell(/^1 solo/).waitFor();
  await page.getByText(/LUFS/).first().waitFor();
  await press('2');
  await cell(/^2 solo/).waitFor();
  await press('k');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await expect.poll(() => page.evaluate(`Math.min(${TIMES})`)).toBeGreaterThan(0.5);
  await press('k');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  const times = await page.evaluate<number[]>(`[${TIMES}]`);
  expect(times).toHaveLength(2);
  expect(Math.abs((times[0] ?? 0) - (times[1] ?? 9))).toBeLessThan(0.5 / 24);
  // Only the solo one is heard.
  expect(await page.evaluate(`[...document.querySelectorAll('.aud video')].map((video) => video.muted)`)).toEqual([
    true,
    false,
  ]);
});

test('Enter keeps the solo take: it plays for the shot and is judged keep, and one step takes both back', async () => {
  const { page, host } = program;
  const before = await shotNow();
  const wanted = before?.takes.find((take) => take !== before.activeTake);
  await page.locator('.aud .cell').nth(1).focus();
  await press('Enter');
  await page
    .getByText(/^Kept take/)
    .first()
    .waitFor();
  await expect.poll(async () => (await shotNow())?.activeTake).toBe(wanted);
  const verdict = async () => (await host.ask('jobs.get', { id: wanted ?? '' })).verdict;
  await expect.poll(verdict).toBe('keep');
  await press('Control+z');
  await page
    .getByText(/^Taken back/)
    .first()
    .waitFor();
  await expect.poll(async () => (await shotNow())?.activeTake).toBe(before?.activeTake);
  await expect.poll(verdict).toBeUndefined();
});

test('Y, M and N judge the solo take as elsewhere, and the same key takes it back', async () => {
  const { host } = program;
  const [one = ''] = (await shotNow())?.takes ?? [];
  const verdict = async () => (await host.ask('jobs.get', { id: one })).verdict;
  const playing = (await shotNow())?.activeTake;
  await program.page.locator('.aud .cell', { hasText: 'take 1' }).click();
  for (const [key, judged, said] of [
    ['n', 'no', VERDICT_WORDS.no.judged],
    ['m', 'maybe', VERDICT_WORDS.maybe.judged],
    ['m', undefined, 'verdict taken back'],
  ] as const) {
    await press(key);
    await program.page.locator('.aud-foot').getByText(said).waitFor();
    await expect.poll(verdict).toBe(judged);
  }
  expect((await shotNow())?.activeTake).toBe(playing);
});

test('one take is kept and the rest goes to the bin of the shot; one step puts it back where it was', async () => {
  const { page } = program;
  const before = await shotNow();
  const [kept, other] = before?.takes ?? [];
  await page.getByRole('button', { name: /bin the others$/ }).click();
  await expect.poll(async () => (await shotNow())?.removedTakes).toEqual([other]);
  expect(await shotNow()).toMatchObject({ takes: [kept], activeTake: kept });
  await press('Control+z');
  await expect.poll(async () => (await shotNow())?.takes).toEqual([kept, other]);
  expect((await shotNow())?.removedTakes ?? []).toEqual([]);
});

test('the audition has no fault that axe knows', async () => {
  const { page } = program;
  expect(await axeFaults(page, { within: '.sb-main' })).toEqual([]);
});

test('no page error was seen on the way', () => {
  expect(program.complaints).toEqual([]);
});
