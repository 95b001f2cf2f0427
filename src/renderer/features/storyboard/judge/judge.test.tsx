import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Board, Shot } from '../../../../shared/board.ts';
import type { Job } from '../../../../shared/job.ts';
import type { FrameMeasure, MeasuredFile } from '../../../../shared/measures.ts';
import type { NightReport } from '../../../../shared/night.ts';
import { GRID_BYTES, textOfGrid } from '../../../../shared/picture/grid.ts';
import { ok } from '../../../../shared/result.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { useEntities, useStudio } from '../../../app/index.ts';
import { over, reportOf, sentJob, statusOf } from '../../../testing/aNight.ts';
import { aProfile } from '../../../testing/aProfile.ts';
import { aShot, aTake, knowJobs } from '../../../testing/boardPage.tsx';
import { acting, aJob, anAsset, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { JudgePage } from './JudgePage.tsx';

/** The takes of a night are judged shot by shot, beside what was there. */

const profile = aProfile();

const shot = (id: string, takes: string[], more: Partial<Shot> = {}) =>
  aShot(id, { prompt: 'Sea', takes, activeTake: takes[0] ?? '', ...more });

const made = (id: string, prompt = 'Sea at dusk', more: Partial<Job> = {}): Job =>
  aTake(id, { request: { kind: 'video', model: 'video-standard', prompt, config: { durationSeconds: 4 } }, ...more });

const SHOTS = [
  shot('a', ['a1']),
  shot('b', ['b1', 'b2', 'b3', 'b4'], { activeTake: 'b2' }),
  shot('c', ['c1'], { source: 'extend', joint: 'extend', video: { jobId: 'b2' } }),
];
const JOBS = [
  made('a1'),
  made('b1', 'An old one'),
  made('b2', 'Sea, warm light', { verdict: 'keep' }),
  made('b3', 'Sea, colder light'),
  made('b4'),
  made('c1', 'Sea', {
    request: { kind: 'video', model: 'video-standard', prompt: 'Sea', video: { jobId: 'b2' } },
    inputs: [{ field: 'video', jobId: 'b2', output: 0 }],
  }),
];

const frames = (lightness: number): FrameMeasure[] =>
  Array.from({ length: 24 }, (_, at) => ({ at: at / 24, lab: [lightness, 0, 0], change: at === 0 ? null : 0.01 }));

/** A clip without sound that begins at one lightness and ends at another. */
function measured(begin: number, end: number): MeasuredFile {
  const grid = textOfGrid(new Uint8Array(GRID_BYTES).fill(100));
  const pictures = { width: 16, height: 9, frames: 48, fps: 24, first: grid, last: grid };
  return {
    state: 'measured',
    measures: { seconds: 2, pictures: { ...pictures, start: frames(begin), end: frames(end) } },
  };
}
const MEASURES: Record<string, MeasuredFile> = {
  a1: measured(40, 40),
  b2: measured(40, 40),
  b3: measured(40, 60),
  b4: { state: 'waiting' },
  c1: measured(40, 40),
};

/** A night in which these were made. */
const nightOf = (ids: string[], more: Partial<NightReport> = {}): NightReport =>
  reportOf(
    ids.map((id) => sentJob(id)),
    { run: { ...over, id: 'night_1', number: 1 }, ...more },
  );

/** The report of the night. */
let night = nightOf(['b3', 'b4']);
/** What the answer to a verdict waits for. */
let judging: Promise<void> | undefined;

async function open(shots: Shot[] = SHOTS, changed: Job[] = [], shows = '.aud-cells .ov.tr') {
  const board: Board = { projectId: useStudio.getState().settings?.projectId ?? 'f', revision: 1, shots };
  const jobs = new Map([...JOBS, ...changed].map((job) => [job.id, job]));
  useEntities.setState({ jobs: new Map(jobs) });
  const studio = fakeStudio({
    'night.report': () => night,
    'storyboard.get': () => board,
    'storyboard.save': (saved) => ({ ...board, revision: saved.revision + 1 }),
    'jobs.list': () => ({ jobs: [...jobs.values()], total: jobs.size }),
    'jobs.judge': async ({ id, verdict }) => {
      await judging;
      const { verdict: _, ...job } = jobs.get(id) ?? aJob();
      const next = { ...job, revision: job.revision + 1, ...(verdict ? { verdict } : {}) };
      jobs.set(id, next);
      return next;
    },
    'media.measures': ({ sha256s }) => ({
      files: Object.fromEntries(sha256s.map((sha256) => [sha256, MEASURES[sha256] ?? { state: 'missing' }])),
    }),
    'ledger.estimate': () =>
      ok({ estimateNano: 2_400_000_000, lowNano: 400_000_000, unpriced: 0, settled: false } as never),
    'library.gone': () => ({ ids: [] }),
  });
  await show(<JudgePage />);
  await until(() => expect(document.querySelectorAll(shows)).not.toHaveLength(0));
  return studio;
}

beforeEach(() => {
  night = nightOf(['b3', 'b4']);
  judging = undefined;
  window.location.hash = '#/queue/night?run=night_1&state=judge';
  knowJobs(...JOBS);
  const settings = { theme: 'dark', welcomed: true, activeProfileId: 'p', projectId: 'f' } as Settings;
  useStudio.setState({ settings, profiles: [profile], activeProfileId: 'p', projects: [], budgets: [] });
});

/** A night that is longer than its list. */
const LONG = { made: 900, judged: 490 };

const cells = () => [...document.querySelectorAll('.aud-cells .ov.tr')].map(({ textContent }) => textContent);
const solo = () => document.querySelector('.judge-side h2')?.textContent;
const side = () => document.querySelector('.judge-side')?.textContent ?? '';
const joints = () =>
  [...document.querySelectorAll('.judge-side .fnd tr')].map((row) =>
    [...row.querySelectorAll('th, td.r')].map(({ textContent }) => textContent).join(' | '),
  );

it('the new takes stand beside the one that was kept; a key brings an older one', async () => {
  await open();
  expect(cells()).toEqual(['take 2, kept', 'take 3, new', 'take 4, new']);
  expect(solo()).toBe('Take 3');
  await press('t');
  expect(cells()).toEqual(['take 2, kept', 'take 3, new', 'take 4, new', 'take 1, older']);
  expect(solo()).toBe('Take 3');
});

it('says which words differ from those of the kept take', async () => {
  await open();
  const words = document.querySelector('.judge-prompt');
  expect([...(words?.querySelectorAll('del') ?? [])].map(({ textContent }) => textContent)).toEqual(['warm']);
  expect([...(words?.querySelectorAll('ins') ?? [])].map(({ textContent }) => textContent)).toEqual(['colder']);
  expect(side()).toContain('Underlined: put in, struck through: taken out, beside take 2.');
});

it('says how far it is from the shots around it, beside the kept one, and what is not measured yet', async () => {
  await open();
  await until(() => expect(joints()).toHaveLength(4));
  expect(joints()).toEqual([
    'From shot 1, cut | meets, ΔE 0.0 | as take 2',
    'loudnessThe first is silent there. | not measured | ',
    'To shot 3, extend | jumps, ΔE 20.0 | take 2: 0.0',
    'loudnessThe first is silent there. | not measured | ',
  ]);
  await press('3');
  expect(solo()).toBe('Take 4');
  await until(() =>
    expect(joints()).toEqual(['From shot 1, cut | not measured yet | ', 'To shot 3, extend | not measured yet | ']),
  );
});

it('says what would be stale if it were kept, with the price to make that again', async () => {
  await open();
  await until(() => expect(side()).toContain('It plays for the shot; shot 3 goes stale: $0.40–2.40 to redo.'));
});

it('ends with what is stale now at its price, which the chord orders', async () => {
  const stale = SHOTS.map((one) => (one.id === 'b' ? { ...one, activeTake: 'b3' } : one));
  const studio = await open(stale);
  await press('Enter');
  const redo = () => document.querySelector('.judge-end .btn.pri');
  await until(() => expect(redo()?.textContent).toBe('Redo 3$0.40–2.40Ctrl ↵'));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(studio.callsOf('storyboard.makeTakes')).toHaveLength(1));
  expect(studio.callsOf('storyboard.makeTakes')[0]).toMatchObject({ projectId: 'f', shotIds: ['c'] });
});

it('takes back the last verdict, whichever it was', async () => {
  const studio = await open();
  await press('y');
  await until(() => expect(solo()).toBe('Take 4'));
  await press('n');
  await until(() => expect(side()).toContain('1, 0, 1'));
  await press('z', { ctrlKey: true });
  await until(() => expect(side()).toContain('1, 0, 0'));
  expect(studio.callsOf('jobs.judge')).toEqual([
    { id: 'b3', verdict: 'keep' },
    { id: 'b4', verdict: 'no' },
    { id: 'b4', verdict: null },
  ]);
});

/** A take with two clips of the same order. */
const withTwo = (id: string): Job => {
  const [clip] = made(id).outputs;
  const outputs = [1, 2].map((n) => anAsset({ ...clip, id: `c-${id}-${n}`, sha256: `${id}${n}` }));
  return made(id, 'Sea, colder light', { outputs });
};

it('a no to each clip of a take stays a no, and the key goes on to the next clip, then to the next take', async () => {
  const studio = await open(SHOTS, [withTwo('b3')]);
  expect(cells()).toEqual(['take 2, kept', 'take 3, 1 of 2, new', 'take 3, 2 of 2, new', 'take 4, new']);
  await press('n');
  await until(() => expect(side()).toContain('0, 0, 1'));
  expect(solo()).toBe('Take 3, 2 of 2');
  await press('n');
  expect(solo()).toBe('Take 4');
  expect(side()).toContain('0, 0, 1');
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'b3', verdict: 'no' }]);
  await press('z', { ctrlKey: true });
  await until(() => expect(side()).toContain('0, 0, 0'));
});

it('after a yes to one clip of a take the next take is up', async () => {
  const studio = await open(SHOTS, [withTwo('b3')]);
  await press('3');
  expect(solo()).toBe('Take 3, 2 of 2');
  await press('y');
  await until(() => expect(solo()).toBe('Take 4'));
  await until(() => expect(side()).toContain('1, 0, 0'));
  // It is the clip that is kept, not its neighbour.
  await until(() => expect(cells().slice(1, 3)).toEqual(['take 3, 1 of 2, new', 'take 3, 2 of 2, new, kept']));
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'b3', verdict: 'keep' }]);
});

it('shows all that a job of no shot has made: its pictures, or its words', async () => {
  const pictures = [1, 2].map((n) =>
    anAsset({ id: `p${n}`, sha256: `p${n}`, mime: 'image/png', role: 'output', jobId: 'p' }),
  );
  const others = [
    aJob({ id: 'p', state: 'succeeded', request: { kind: 'imagine', prompt: 'Poster' }, outputs: pictures }),
    aJob({
      id: 'w',
      kind: 'chat',
      state: 'succeeded',
      request: { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'A line' }] },
      outputs: [],
      result: { text: 'The lamp is lit.', finishReason: 'stop' },
    }),
  ];
  night = nightOf(['p', 'w']);
  await open(SHOTS, others, '.judge-stage .cell');
  const shown = [...document.querySelectorAll('.judge-stage.aud .cell')];
  expect(shown.map((cell) => cell.querySelectorAll('img').length)).toEqual([2, 0]);
  expect(shown[1]?.textContent).toContain('The lamp is lit.');
});

it('results that cannot be displayed name their format and can be saved', async () => {
  const outputs = [anAsset({ id: 'v', sha256: 'v', mime: 'video/vnd.avi', role: 'output', jobId: 'p' })];
  const other = aJob({ id: 'p', state: 'succeeded', request: { kind: 'imagine', prompt: 'Poster' }, outputs });
  night = nightOf(['p']);
  await open(SHOTS, [other], '.judge-stage .cell');
  expect(document.querySelector('.judge-stage .cell')?.textContent).toContain('AVI');
  expect(side()).toContain('Dailies cannot display AVI files.');
  expect(document.querySelectorAll('.judge-side a[download]')).toHaveLength(1);
});

it('of a take that cannot be displayed the cell shows the format, and no player', async () => {
  const avi = anAsset({ id: 'c-b3', sha256: 'b3', mime: 'video/vnd.avi', role: 'output', jobId: 'b3' });
  await open(SHOTS, [made('b3', 'Sea, colder light', { outputs: [avi] })]);
  await until(() => expect(document.querySelector('.aud-cells')?.textContent).toContain('AVI'));
  expect(document.querySelectorAll('video[src$="media/c-b3"]')).toHaveLength(0);
});

it('a verdict goes on to the next result only from its own', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  judging = promise;
  night = nightOf(['x', 'y', 'z']);
  await open(
    SHOTS,
    ['x', 'y', 'z'].map((id) => made(id)),
    '.judge-stage .cell video',
  );
  const solo = () =>
    [...document.querySelectorAll('.judge-stage .cell')].map((cell) => cell.className.includes('solo'));
  await press('y');
  await press('3');
  const before = solo();
  expect(new Set(before).size).toBe(2);
  await acting(() => answer());
  expect(solo()).toEqual(before);
});

it('plays the clips that belong to no shot, and says at the end what has no verdict', async () => {
  night = nightOf(['x']);
  await open(SHOTS, [made('x')], '.judge-stage .cell video');
  const play = () => document.querySelector('.judge-stage [role="toolbar"] [aria-label="Play"]');
  expect(play()).not.toBeNull();
  await press('Enter');
  await until(() => expect(document.querySelector('.judge-end')?.textContent).toContain('1 without a verdict'));
});

it('says how many more takes of a long night wait to be judged, and leads back to them', async () => {
  night = nightOf(['x'], LONG);
  await open(SHOTS, [made('x')], '.judge-stage .cell video');
  expect(byText('0 of 1 judged', '[role="status"]').textContent).toBe('0 of 1 judged, of 900 made');
  await press('Enter');
  await until(() =>
    expect(document.querySelector('.judge-end')?.textContent).toContain('409 more takes of this night'),
  );
  await click(byText(labels.toTheReport, '.judge-end button'));
  expect(window.location.hash).toBe('#/queue/night?run=night_1');
});

it('the takes of a long night that are to be judged stay those of its first reading', async () => {
  night = nightOf(['x'], LONG);
  const studio = await open(SHOTS, [made('x'), made('y'), made('z')], '.judge-stage .cell video');
  night = nightOf(['y', 'z'], { ...LONG, run: { ...night.run, number: 77 } });
  await studio.emit({ type: 'night.changed', status: statusOf(null) });
  await until(() => expect(document.querySelector('.judgep h1')?.textContent).toBe(labels.judgeNight(77)));
  expect(byText('0 of 1 judged', '[role="status"]').textContent).toBe('0 of 1 judged, of 900 made');
});

it('two takes have the whole stage where there is no other one', async () => {
  const shots = SHOTS.map((one) => (one.id === 'b' ? { ...one, takes: ['b2', 'b3'] } : one));
  night = nightOf(['b3']);
  // A board of its own: the one of the other tests is known to the page already.
  useStudio.setState({ settings: { theme: 'dark', welcomed: true, activeProfileId: 'p', projectId: 'g' } as Settings });
  await open(shots);
  await until(() => expect(cells()).toEqual(['take 1, kept', 'take 2, new']));
  expect(document.querySelector('.judge-stage .aud-cells')?.className).toBe('aud-cells of-2');
});

const unpriced = { ...aJob().money, chargedNano: 0, chargedLowNano: 0, unpriced: true as const };
const costs = () => [...document.querySelectorAll('.price')].map(({ textContent }) => textContent);

it('a take whose price is not known costs nothing that is known', async () => {
  await open(SHOTS, [made('b3', 'Sea, colder light', { money: unpriced })]);
  expect(costs().filter((cost) => cost === 'price not known')).toHaveLength(2);
});

it('neither does a picture', async () => {
  night = nightOf(['x']);
  await open(SHOTS, [made('x', 'Sea', { money: unpriced })], '.judge-stage .cell video');
  expect(costs()).toContain(labels.priceNotKnown);
});
