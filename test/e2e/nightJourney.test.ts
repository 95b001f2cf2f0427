import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/main/sandbox/index.ts';
import type { Shot } from '../../src/shared/board/board.ts';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { JobPage } from '../../src/shared/jobs/lists.ts';
import { formatNano } from '../../src/shared/money/money.ts';
import { SANDBOX_IMAGE_NANO } from '../../src/shared/money/price.ts';
import { lastingPort } from '../helpers/lastingPort.ts';
import { MovedClock } from '../helpers/movedClock.ts';
import { PICTURE_PRICE } from '../helpers/prices.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { labels, starting } from '../labels.ts';
import { countMouse, type Hands, keys, mouseEvents } from './hands.ts';
import { Program } from './program.ts';

/**
 * One overnight run by keyboard alone, with other jobs in the queue. A batch with three wrong lines is fixed and scheduled with a budget.
 * The run passes midnight with a refusal, a lost reply, a sleeping machine and an outage of ten minutes. Report, ledger and bill agree; the
 * takes are checked, rated and made again.
 */

const MINUTE = 60_000;
const OTHERS = 500;
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime();

const clock = new MovedClock(at(21, 22, 30));
const gatewayState = tempDir('gateway');
let gateway: Sandbox;
let program: Program;
let hands: Hands;
let projectId: string;
let runId: string;

const startGateway = (port: number): Promise<Sandbox> =>
  startSandbox({
    port,
    speed: 'fast',
    media: 'tiny',
    stateDir: gatewayState,
    requireKey: false,
    imageNano: SANDBOX_IMAGE_NANO,
    faults: [
      { match: { endpoint: 'video', promptIncludes: 'refused' }, action: { kind: 'filtered', samples: 'all' } },
      { match: { endpoint: 'video', promptIncludes: 'lost' }, action: { kind: 'drop', when: 'after' } },
      {
        match: { endpoint: 'video', promptIncludes: 'unlit' },
        action: { kind: 'defect', defects: [{ what: 'black', from: 1.5 }] },
      },
    ],
  });

beforeAll(async () => {
  gateway = await startGateway(await lastingPort());
  program = await Program.start({ env: { ...clock.env, DAILIES_API_KEY: 'sk-of-the-journey' } });
  const { host, page } = program;
  hands = keys(page);
  await leaveOthersWaiting();
  const { baseUrl, imagePrefix, vendor, imageAuthHeaders } = gateway;
  const service = { baseUrl, imagePrefix, vendor, imageAuthHeaders, prices: [PICTURE_PRICE] };
  const { id, models } = await host.ask('profiles.save', { name: 'Far away', ...service });
  await host.ask('settings.set', { realMoney: { [id]: new URL(baseUrl).origin } });
  await host.ask('profiles.activate', { id });
  await makeFilm();
  // A rate limit, as some gateways have. Set only now, or making the film would take minutes.
  await host.ask('profiles.save', {
    id,
    models: models.map((model) => ({ ...model, preview: model.kind === 'video' })),
    limits: { videoPerMinute: CLIPS_A_MINUTE, imagesAtOnce: 8, chatsAtOnce: 8 },
  });
  await clock.showTo(page);
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  await countMouse(page);
});
afterAll(async () => {
  await program?.stop();
  await gateway?.close();
});

/** Slow enough that the run passes midnight. */
const CLIPS_A_MINUTE = 2;

/** Leaves jobs of the built-in sandbox waiting in paused lanes. */
async function leaveOthersWaiting(): Promise<void> {
  const { host } = program;
  await host.ask('settings.set', { welcomed: true });
  const lines = Array.from({ length: OTHERS }, (_, n) => `imagine,A lantern with the number ${n}`);
  const { readId } = await host.ask('batch.read', { text: ['kind,prompt', ...lines].join('\n'), format: 'csv' });
  await host.ask('queue.pause', { lane: { kind: 'image', profileId: 'sandbox' } });
  await host.ask('batch.enqueue', { readId });
}

/** Makes three shots with a take each; the second continues from the first. */
async function makeFilm(): Promise<void> {
  const { host } = program;
  ({ id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' }));
  await host.ask('settings.set', { projectId });
  const { revision } = await host.ask('storyboard.get', { projectId });
  const shots = ['A quay at night', 'A ferry leaves', 'A lamp in the rain'].map((prompt, index) => ({
    id: `s${index + 1}`,
    prompt,
    model: 'video-standard',
    config: { durationSeconds: 4, resolution: '720p' },
    ...(index === 1 ? { joint: 'continue', source: 'first' } : {}),
  }));
  await host.ask('storyboard.save', { projectId, revision, shots: shots as Shot[] });
  const make = (shotId: string) => program.made('video', () => host.ask('storyboard.makeTake', { projectId, shotId }));
  const first = await make('s1');
  await changeShot('s2', { image: { jobId: first.id, frame: 'last' } });
  const others = [await make('s2'), await make('s3')];
  expect([first, ...others].map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  // Its next take comes out black.
  await changeShot('s3', { prompt: 'A lamp, unlit' });
}

async function changeShot(id: string, change: Partial<Shot>): Promise<void> {
  const { revision, shots } = await program.host.ask('storyboard.get', { projectId });
  const changed = shots.map((shot) => (shot.id === id ? { ...shot, ...change } : shot));
  await program.host.ask('storyboard.save', { projectId, revision, shots: changed });
}

const press = async (...chords: string[]): Promise<void> => {
  for (const chord of chords) await program.page.keyboard.press(chord);
};
const button = (name: RegExp) => program.page.getByRole('button', { name });
const shotsOfFilm = async (): Promise<Shot[]> => (await program.host.ask('storyboard.get', { projectId })).shots;

/** The run's jobs, in queue order. */
async function nightJobs(): Promise<Job[]> {
  const jobs: Job[] = [];
  let more: { cursor?: string } | undefined = {};
  while (more) {
    const page: JobPage = await program.host.ask('jobs.list', { limit: 500, play: false, ...more });
    jobs.push(...page.jobs);
    more = page.nextCursor === undefined ? undefined : { cursor: page.nextCursor };
  }
  return jobs.filter((job) => job.runId === runId).toSorted((one, other) => one.position - other.position);
}

const LINES = 60;
/** A header and lines: six clips (one will be refused, one lost), pictures and chats. Lines 12, 22 and 42 are wrong. */
function table(): string {
  const lines = Array.from({ length: LINES }, (_, index) => {
    if (index === 10) return 'video,The lights go in the night,video-standard,5';
    if (index === 20) return 'video,Open sea at night,video-ultra,6';
    if (index === 40) return 'poem,A poem of the night,,';
    if (index === 0) return 'video,A night refused,video-standard,4';
    if (index === 1) return 'video,A night lost,video-standard,4';
    if (index % 25 === 0) return `video,Harbour ${index},video-standard,4`;
    return index % 8 === 0 ? `imagine,Lamp ${index},,` : `chat,A line about lamp ${index},language,`;
  });
  return ['kind,prompt,model,seconds', ...lines].join('\n');
}

const focusedOn = (label: RegExp | string): Promise<void> =>
  program.page.locator(':focus').and(program.page.getByLabel(label)).waitFor();

/** Enters and reads the table, then fixes a length, a model and a kind with F8 and its suggestions, or by typing. */
async function readAndFix(): Promise<void> {
  const { page } = program;
  await focusedOn(labels.jobs);
  await page.keyboard.insertText(table());
  await program.tabTo(starting(labels.readRows));
  await press('Enter');
  for (const [wrong, offered] of [
    [3, '4, seconds of row 12'],
    [2, /^video-.*, model of row 22/],
    [1, 'chat, kind of row 42'],
  ] as const) {
    await page.getByText(labels.fixOrSkip(wrong)).waitFor();
    await press('F8');
    await focusedOn(offered);
    if (wrong > 1) await press('Enter');
  }
  await program.tabTo(/^kind of row 42$/);
  await press('Control+A');
  await page.keyboard.type('imagine');
  await press('Enter');
}

test('an overnight run is scheduled with a budget', async () => {
  const { page, host } = program;
  await press('Alt+4');
  await hands.press(page.getByRole('link', { name: labels.planANight }));
  await hands.write(page.getByRole('textbox', { name: labels.from, exact: true }), '23:00');
  await hands.write(page.getByRole('textbox', { name: labels.to, exact: true }), '07:00');
  await hands.write(page.getByRole('textbox', { name: labels.hardCap, exact: true }), '60');
  await program.press(/^Schedule run 1/, page.getByText(labels.armedCloseTheWindowNot));
  const { current } = await host.ask('night.get');
  expect(current).toMatchObject({ state: 'planned', capNano: 60_000_000_000, startsAt: at(21, 23), endsAt: at(22, 7) });
  runId = current?.id ?? '';
});

test('a batch with three wrong lines is fixed and scheduled at the shown price', async () => {
  const { page, host } = program;
  await press('Alt+4');
  await button(starting(labels.import)).waitFor();
  await press('i');
  await readAndFix();
  await program.canSend(starting(labels.queueJobs(LINES)));
  await hands.press(
    page.locator('aside .sendbar').getByRole('button', { name: labels.scheduleTonight, disabled: false }),
  );
  await page.getByRole('listbox', { name: labels.jobsOfTheNight }).waitFor();
  expect((await host.ask('night.get')).current?.jobs.waiting).toBe(0);
  await program.press(starting(labels.addToNight(1)), page.getByText(`${LINES} jobs scheduled already.`));
  expect((await host.ask('night.get')).current?.jobs).toEqual({ waiting: LINES, underWay: 0, ended: 0 });
});

test('two takes of the film join the same run', async () => {
  const { page, host } = program;
  await press('Alt+1');
  for (const shot of [1, 3]) {
    await hands.press(page.getByRole('option', { name: new RegExp(`^Shot ${shot}, `) }));
    await page.getByRole('heading', { name: `Shot ${shot}`, exact: true }).waitFor();
    const side = page.getByRole('complementary', { name: labels.shotSettings });
    await hands.press(side.getByRole('button', { name: labels.scheduleTonight, disabled: false }));
    await expect.poll(async () => (await shotsOfFilm())[shot - 1]?.takes.length).toBe(2);
  }
  expect((await host.ask('night.get')).current?.jobs).toEqual({ waiting: LINES + 2, underWay: 0, ended: 0 });
});

const stateOf = async (prompt: string) =>
  (await nightJobs()).find(({ request }) => 'prompt' in request && request.prompt === prompt)?.state;
const counts = async () => {
  const { current, last } = await program.host.ask('night.get');
  return (current ?? last)?.jobs;
};

/** Waits until nothing is at the gateway and more jobs have ended than before. Returns their number. */
async function moreEnded(before: number): Promise<number> {
  await expect.poll(counts).toSatisfy((jobs) => jobs?.underWay === 0 && jobs.ended > before);
  return (await counts())?.ended ?? 0;
}

/** Six lines of the table, and two takes of the film. */
const CLIPS = 8;
const ALL = LINES + 2;

test('the run begins: chats and pictures are made, one clip is refused, and the reply for another is lost', async () => {
  await clock.sleepUntil(at(21, 23) + 1_000, program.page);
  await moreEnded(ALL - CLIPS + 1);
  expect([await stateOf('A night refused'), await stateOf('A night lost')]).toEqual(['failed', 'uncertain']);
  await program.page.getByRole('contentinfo').getByText(labels.unconfirmed).waitFor();
});

test('the machine sleeps until shortly before midnight, and the run goes on', async () => {
  const before = await counts();
  await clock.sleepUntil(at(21, 23, 52), program.page);
  await moreEnded(before?.ended ?? ALL);
});

test('the gateway is down for ten minutes over midnight: waiting jobs are tried again, and made once', async () => {
  const { page, host } = program;
  const { port } = new URL(gateway.baseUrl);
  const before = await counts();
  await gateway.close();
  for (let minutes = 0; minutes < 10; minutes += 2) await clock.sleepUntil(clock.now() + 2 * MINUTE, page);
  await page.getByRole('contentinfo').getByText(labels.cannotBeReached).waitFor();
  // A queued job may just be trying the closed port.
  await expect.poll(() => host.ask('night.get')).toMatchObject({ current: { state: 'open', jobs: before } });
  gateway = await startGateway(Number(port));
  expect(clock.now()).toBeGreaterThan(at(22, 0));
  for (let ended = before?.ended ?? 0; ended < ALL; ended = await moreEnded(ended))
    await clock.sleepUntil(clock.now() + MINUTE, page);
});

test('in the morning report, ledger and bill agree, and each day is charged for what was sent on it', async () => {
  const { page, host } = program;
  await clock.sleepUntil(at(22, 7) + 1_000, page);
  await expect.poll(async () => (await host.ask('night.get')).last?.state).toBe('ended');
  const report = await host.ask('night.report', { runId });
  expect(report).toMatchObject({ made: LINES, refused: 1, inDoubt: 1, failed: 0, notRun: 0, complete: true });
  const jobs = await nightJobs();
  const own = new Set(jobs.flatMap(({ remoteId }) => remoteId ?? []));
  const { entries } = gateway.bill();
  const sum = (billed: typeof entries) => billed.reduce((total, { nano }) => total + nano, 0);
  const lost = entries.filter(({ prompt }) => prompt === 'A night lost');
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  expect(lost).toHaveLength(1);
  expect(report.spent).toMatchObject({ settledNano: sum(entries.filter(({ id }) => own.has(id))), reservedNano: 0 });
  expect(report.spent.uncertainNano).toBeGreaterThanOrEqual(sum(lost));
  const days = await host.ask('ledger.totals', { groupBy: 'day', play: false });
  expect(days.sum).toMatchObject({
    settledNano: sum(entries) - sum(lost),
    uncertainNano: report.spent.uncertainNano,
    reservedNano: 0,
  });
  expect(days.rows.map(({ key, settledNano }) => [key, settledNano > 0])).toEqual(
    expect.arrayContaining([
      ['2026-11-21', true],
      ['2026-11-22', true],
    ]),
  );
  await press('Alt+4');
  const shown = page.getByRole('region', { name: labels.night(1) });
  await shown.getByText(formatNano(report.spent.settledNano)).waitFor();
});

test('the takes are checked: the broken one is named, and a key leads to the defect', async () => {
  const { page } = program;
  await hands.press(page.getByRole('link', { name: starting(labels.reviewTakes(LINES)) }));
  await page.getByRole('radio', { name: 'Broken 1' }).waitFor();
  await hands.press(page.getByRole('radio', { name: 'Broken 1' }));
  await button(starting(labels.keepN('take 2'))).waitFor();
  await press('F8');
  const black = page.getByRole('complementary').getByRole('button', { name: /^1\s*Black 0:01\.5–/, pressed: true });
  await black.waitFor();
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^00:01:12/);
  expect((await nightJobs()).filter(({ verdict }) => verdict !== undefined)).toEqual([]);
});

test('the takes are rated by keys, and the take that a kept one outdates is made again at its price', async () => {
  const { page } = program;
  await hands.press(page.getByRole('radio', { name: 'All' }));
  await page.getByRole('article', { name: 'Take 2' }).waitFor();
  const before = await shotsOfFilm();
  await page.evaluate('document.activeElement.blur()');
  // Keys apply to the shown take until its rating is saved, so wait for the next take.
  const next = page
    .getByRole('navigation', { name: labels.takes, exact: true })
    .locator('[aria-current="true"]:not([data-rated])');
  const rate = async (key: string) => {
    await next.evaluate((tile) => tile.setAttribute('data-rated', ''));
    await press(key);
  };
  await rate('y');
  await expect.poll(async () => (await shotsOfFilm())[0]?.activeTake).toBe(before[0]?.takes[1]);
  const done = page.getByRole('heading', { name: labels.nothingLeftToReview });
  for (let rated = 1; rated < LINES; rated++) {
    await page.getByText(`${rated} of ${LINES} rated`).waitFor();
    await rate('n');
  }
  await done.waitFor();
  expect((await nightJobs()).find(({ id }) => id === before[2]?.takes[1])?.verdict).toBe('no');
  const redo = page.getByRole('button', { name: starting(labels.makeShotAgain(2)), disabled: false });
  await redo.waitFor();
  const billed = gateway.bill().totalNano;
  const made = await program.made('video', () => hands.press(redo));
  expect(made.request).toMatchObject({ image: { jobId: before[0]?.takes[1], frame: 'last' } });
  await expect.poll(async () => (await shotsOfFilm())[1]?.activeTake).toBe(made.id);
  expect(gateway.bill().totalNano).toBe(billed + made.money.chargedNano);
});

test('the other jobs waited throughout, no mouse was moved, and the page reported no errors', async () => {
  const { host, page } = program;
  const { lanes } = await host.ask('queue.status');
  expect(lanes.find(({ paused }) => paused)).toMatchObject({ kind: 'image', waiting: OTHERS });
  expect(await mouseEvents(page)).toBe(0);
  expect(program.complaints).toEqual([]);
});
