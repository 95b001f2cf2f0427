import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** The takes of an overnight run: findings are listed, keys lead to them, and limits are changed. */

const HOUR = 3_600_000;

/** The sandbox's defects, by the prompt of the shot. */
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
const finding = (name: RegExp) => program.page.getByRole('complementary').getByRole('button', { name });
const time = () => program.page.getByRole('timer').textContent();
const filter = (name: string) => program.page.getByRole('radio', { name });

test('the morning report leads to the takes, counted by the result of their checks', async () => {
  const { page } = program;
  await page.getByRole('link', { name: labels.reviewTakes(5) }).click();
  await page.getByRole('radio', { name: /^Overnight run \d+$/ }).waitFor();
  expect(await page.evaluate('location.hash')).toBe(`#/review?run=${runId}`);
  for (const name of ['Broken 1', 'Worth a look 2', 'Passed 2']) await filter(name).waitFor();
  await filter('Broken 1').click();
  await finding(/^1\s*Black 0:01\.5–0:0[34]/).waitFor();
  await page.getByText('2.5 of 4 s are black.').waitFor();
});

test('broken takes are made again at their price', async () => {
  const { page, host } = program;
  await page.getByRole('button', { name: starting(labels.makeTake(2)) }).click();
  const dialog = page.getByRole('dialog', { name: labels.makeItAgainText });
  await dialog.locator('.price').first().waitFor();
  await program.canSend(starting(labels.makeTake(2)));
  const made = await program.made('video', () => press('Control+Enter'));
  const { shots } = await host.ask('storyboard.get', { projectId });
  expect(shots[1]?.takes.at(-1)).toBe(made.id);
  await dialog.waitFor({ state: 'detached' });
});

test('a key goes from finding to finding through all takes', async () => {
  await filter('All').click();
  await program.page.evaluate('document.activeElement.blur()');
  await press('F8');
  await expect.poll(time).toMatch(/^00:01:12/);
  await press('F8');
  await finding(/^1\s*Silence/).waitFor();
  await expect.poll(time).toMatch(/^00:00:12/);
  await press('F8');
  await expect.poll(time).toMatch(/^00:02:00/);
  await program.page.getByText(/from frame 48 to 49, motion around it/).waitFor();
  await finding(/^3\s*Frozen/).click();
  // The encoder inserts a key frame at the full second and needs a frame or two.
  await expect.poll(time).toMatch(/^00:03:0[1-4]/);
  await press('F8');
  await finding(/^1\s*Clipping/).waitFor();
  await press('F8');
  await finding(/^1\s*Black/).waitFor();
});

test('a changed limit changes the findings at once, without measuring again, and can be reset', async () => {
  const { page, host } = program;
  await press('ArrowDown');
  const cut = finding(/Cut within the clip 0:02\.0/);
  await cut.waitFor();
  const clip = (await takes())[2]?.outputs[0]?.sha256 ?? '';
  const measured = await host.ask('media.measures', { sha256s: [clip] });
  await page.getByRole('button', { name: labels.changeLimits }).click();
  const limit = page.getByRole('textbox', { name: labels.cutWithinTheClip });
  await limit.fill('0.9');
  await limit.press('Tab');
  await cut.waitFor({ state: 'detached' });
  const limits = async () => (await host.ask('storyboard.get', { projectId })).triageLimits;
  await expect.poll(limits).toEqual({ cut: 0.9 });
  expect(await host.ask('media.measures', { sha256s: [clip] })).toEqual(measured);
  await page.getByRole('button', { name: labels.asShipped }).click();
  await cut.waitFor();
  await expect.poll(limits).toBeUndefined();
  await press('Escape');
  await limit.waitFor({ state: 'detached' });
});

test('links of earlier versions lead to the page', async () => {
  const { page } = program;
  for (const old of [`#/queue/triage?run=${runId}`, `#/queue/night?run=${runId}&state=judge`]) {
    await page.evaluate(`location.hash = '${old}'`);
    await page.getByRole('radio', { name: /^Overnight run \d+$/, checked: true }).waitFor();
  }
});

test('the page reported no errors', () => {
  expect(program.complaints).toEqual([]);
});
