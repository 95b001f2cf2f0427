import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { Job } from '../../src/shared/job.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** The takes of a night in the morning: what stands out is named, keys lead there, limits are changed, and nothing is judged by itself. */

const HOUR = 3_600_000;

/** What the service spoils, by the words of the shot. */
const FAULTS = [
  ['black', [{ what: 'black', from: 1.5 }]],
  [
    'odd',
    [
      { what: 'cut', from: 2 },
      { what: 'frozen', from: 3, to: 3.6 },
      { what: 'silence', from: 0.5, to: 1.8 },
    ],
  ],
  ['loud', [{ what: 'clipping', from: 1, to: 1.5 }]],
] as const;

let program: Program;
let projectId: string;
let runId: string;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  const { profiles } = await host.ask('profiles.list');
  const rules = FAULTS.map(([word, defects]) => ({
    match: { endpoint: 'video', promptIncludes: word },
    action: { kind: 'defect', defects },
  }));
  const sandbox = profiles.find(({ builtin }) => builtin)?.baseUrl;
  const scripted = await fetch(`${sandbox}/__sandbox/faults`, { method: 'PUT', body: JSON.stringify(rules) });
  expect(scripted.status).toBe(200);
  ({ id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' }));
  await host.ask('settings.set', { welcomed: true, projectId });
  const shots = ['', ', black', ', odd', ', loud', ''].map((fault, at) => ({
    id: `s${at + 1}`,
    prompt: `A quay at night${fault}`,
    model: 'video-standard',
    config: { durationSeconds: 4 as const, generateAudio: true },
  }));
  const { revision } = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', { projectId, revision, shots });
  const now = Date.now();
  await host.ask('night.plan', { start: hourOf(now), end: hourOf(now + 12 * HOUR), capNano: 1_000_000_000_000 });
  const events = await host.events();
  for (const { id: shotId } of shots) {
    const { job } = await host.ask('storyboard.makeTake', { projectId, shotId, night: true });
    await events.next('job.changed', (event) => event.job.id === job.id && event.job.state === 'succeeded');
  }
  await events.close();
  const ended = await host.ask('night.stop', {});
  runId = ended.id;
  await page.evaluate(`location.hash = '#/queue'`);
});
afterAll(async () => {
  await program?.stop();
});

const takes = async (): Promise<Job[]> =>
  (await program.host.ask('jobs.list', { limit: 100 })).jobs.toSorted((one, other) => one.position - other.position);
const press = (key: string) => program.page.keyboard.press(key);
const row = (name: string) =>
  program.page.getByRole('complementary', { name: labels.takesMeasured }).getByRole('button', { name });
const found = () => program.page.getByRole('complementary', { name: labels.findings });
const timecode = () => program.page.locator('.tmain .tc').textContent();

test('the report of the night says what stands out, and leads there', async () => {
  const { page } = program;
  await page.getByRole('link', { name: 'Triage: 2 clean, 2 to look at, 1 broken' }).click();
  await page.getByRole('heading', { name: /^Triage of night \d+$/ }).waitFor({ state: 'attached' });
  expect(await page.evaluate('location.hash')).toBe(`#/queue/triage?run=${runId}`);
  // The odd ones come first, and one line says what is where.
  await row(labels.shotTake(2, 1)).getByText(labels.fromToTheEnd('Black', '0:01.5')).waitFor();
  await row(labels.shotTake(3, 1)).getByText('Silence, cut at 0:02.0, frozen').waitFor();
  await row(labels.shotTake(4, 1)).getByText(starting(labels.clipping)).waitFor();
  await row(labels.shotTake(1, 1)).getByText(labels.nothingFound).waitFor();
  await page.getByText(labels.noTakeIsJudgedHidden(5)).waitFor();
});

test('what is broken says how much is missing and what it cost, and another one has its price', async () => {
  const { page, host } = program;
  await page.getByText(/^2\.5 of 4 s are black\. It cost/).waitFor();
  await page.getByRole('button', { name: starting(labels.makeItAgain) }).click();
  const dialog = page.getByRole('dialog', { name: labels.makeItAgainText });
  await dialog.locator('.price').first().waitFor();
  await program.canSend(starting(labels.makeTake(2)));
  const made = await program.made('video', () => press('Control+Enter'));
  const { shots } = await host.ask('storyboard.get', { projectId });
  expect(shots[1]?.takes.at(-1)).toBe(made.id);
  await dialog.waitFor({ state: 'detached' });
});

test('keys lead to each place, F8 to the next one, round all takes', async () => {
  await press('Tab');
  await row(labels.shotTake(2, 1)).click();
  await expect.poll(timecode).toBe('00:00:01:12');
  await press('F8');
  await found().getByText(labels.cutInside, { exact: true }).waitFor();
  await expect.poll(timecode).toBe('00:00:00:12');
  await press('2');
  await expect.poll(timecode).toBe('00:00:02:00');
  await program.page.getByText(labels.frameBefore(48)).waitFor();
  await program.page.getByText(labels.frameAfter(49)).waitFor();
  await found()
    .getByText(/from frame 48 to 49; the motion around it is/)
    .waitFor();
  await press('3');
  // The encoder begins anew at the full second, and takes a frame or two to come to rest.
  await expect.poll(timecode).toMatch(/^00:00:03:0[1-4]$/);
  await press('F8');
  await found().getByText(labels.clipping, { exact: true }).waitFor();
  await press('F8');
  await found().getByText(labels.black, { exact: true }).waitFor();
});

test('a limit that is changed names other takes at once, measures nothing anew, and goes back to what is shipped', async () => {
  const { page, host } = program;
  const limit = page.getByRole('textbox', { name: labels.cutInsideAbove });
  const beyond = page.getByRole('row', { name: labels.cutInside }).getByRole('cell').last();
  await expect.poll(() => beyond.textContent()).toBe('1');
  const clip = (await takes())[2]?.outputs[0]?.sha256 ?? '';
  const measured = await host.ask('media.measures', { sha256s: [clip] });
  await limit.fill('0.9');
  await limit.press('Tab');
  await expect.poll(() => beyond.textContent()).toBe('0');
  await row(labels.shotTake(3, 1)).getByText('Silence, frozen').waitFor();
  const limits = async () => (await host.ask('storyboard.get', { projectId })).triageLimits;
  await expect.poll(limits).toEqual({ cut: 0.9 });
  expect(await host.ask('media.measures', { sha256s: [clip] })).toEqual(measured);
  await page.getByRole('button', { name: labels.asShipped }).click();
  await expect.poll(() => beyond.textContent()).toBe('1');
  await expect.poll(limits).toBeUndefined();
});

test('nothing is judged by itself; a key judges the take that is looked at', async () => {
  expect((await takes()).filter(({ verdict }) => verdict !== undefined)).toEqual([]);
  await row(labels.shotTake(3, 1)).click();
  await press('n');
  await expect.poll(async () => (await takes())[2]?.verdict).toBe('no');
  // The same key takes back what the page shows.
  await program.page.getByRole('radio', { name: labels.no, exact: true, checked: true }).waitFor();
  await press('n');
  await expect.poll(async () => (await takes())[2]?.verdict).toBeUndefined();
  await press('ArrowDown');
  await press('y');
  await expect.poll(async () => (await takes())[3]?.verdict).toBe('keep');
  expect((await takes()).filter(({ verdict }) => verdict !== undefined)).toHaveLength(1);
});

test('Enter goes on to judging, and what is clean can come first', async () => {
  const { page } = program;
  const here = await page.evaluate('location.hash');
  await page.evaluate('document.activeElement.blur()');
  await press('Enter');
  await page.getByRole('heading', { name: /^Judge night \d+$/ }).waitFor();
  await page.evaluate(`location.hash = '${here}'`);
  await page.getByRole('button', { name: labels.cleanFirst(2) }).click();
  await page.getByRole('heading', { name: /^Judge night \d+$/ }).waitFor();
  const clean = (await takes()).filter((_, at) => at === 0 || at === 4).map(({ id }) => id);
  expect(await page.evaluate('location.hash')).toBe(
    `#/queue/night?${new URLSearchParams({ run: runId, state: 'judge', first: clean.join(',') })}`,
  );
  await page.evaluate(`location.hash = '${here}'`);
  await row(labels.shotTake(2, 1)).waitFor();
});

test('no page error was seen on the way', () => {
  expect(program.complaints).toEqual([]);
});
