import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { type Board, boardSchema, type Shot } from '../../../shared/board/board.ts';
import { ok } from '../../../shared/contract/result.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import type { FrameMeasure, MeasuredFile } from '../../../shared/film/measures.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { NightReport } from '../../../shared/jobs/night.ts';
import { GRID_BYTES, textOfGrid } from '../../../shared/library/picture/grid.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { over, reportOf, sentJob, statusOf } from '../../testing/aNight.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot, aTake, knowJobs } from '../../testing/boardPage.tsx';
import { textOf } from '../../testing/find.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { ReviewPage } from './ReviewPage.tsx';
import { setReviewView } from './view.ts';

/** The takes of an overnight run are rated one by one, each beside the selected one. */

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

/** A silent clip that begins and ends at these lightnesses. */
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

/** An overnight run that made these. */
const nightOf = (ids: string[], more: Partial<NightReport> = {}): NightReport =>
  reportOf(
    ids.map((id) => sentJob(id)),
    { run: { ...over, id: 'night_1', number: 1 }, ...more },
  );

/** The report of the run. */
let night = nightOf(['b3', 'b4']);
/** What the answer to a verdict waits for. */
let judging: Promise<void> | undefined;

async function open(shots: Shot[] = SHOTS, changed: Job[] = [], shows = '.rvTile') {
  const board: Board = { projectId: useStudio.getState().settings?.projectId ?? 'f', revision: 1, shots };
  const jobs = new Map([...JOBS, ...changed].map((job) => [job.id, job]));
  useEntities.setState({ jobs: new Map(jobs) });
  const studio = fakeStudio({
    'night.report': () => night,
    'storyboard.get': () => board,
    'storyboard.save': (saved) => boardSchema.parse({ ...board, ...saved, revision: saved.revision + 1 }),
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
    'library.bin': ({ ids }) => ({ moved: ids.length }) as never,
  });
  await show(<ReviewPage />);
  await until(() => expect(document.querySelectorAll(shows)).not.toHaveLength(0));
  return studio;
}

/** Boards outlive their pages, so each test has its own. */
let boards = 0;

beforeEach(() => {
  setReviewView({ count: 1, mode: 'side' });
  night = nightOf(['b3', 'b4']);
  judging = undefined;
  window.location.hash = '#/review?run=night_1';
  knowJobs(...JOBS);
  const settings = { theme: 'dark', welcomed: true, activeProfileId: 'p', projectId: `review-${++boards}` } as Settings;
  useStudio.setState({ settings, profiles: [profile], activeProfileId: 'p', projects: [], budgets: [] });
});

/** A run with more takes than are listed. */
const LONG = { made: 900, judged: 490 };

const tiles = () => [...document.querySelectorAll<HTMLElement>('.rvTile .tk')].map(({ title }) => title);
/** The take being rated. */
const rated = () => textOf('.ratings button')?.replace('Y', '');
const sides = () => [...document.querySelectorAll('.side')].map((side) => side.getAttribute('aria-label'));
const about = () => textOf('.about') ?? '';
const effect = () => textOf('.effect') ?? '';
const counts = () => [...document.querySelectorAll('.counts dd')].slice(0, 3).map(({ textContent }) => textContent);
const progress = () => textOf('.bar [role="status"]');
const joints = () =>
  [...document.querySelectorAll('.about .fnd tr')].map((row) =>
    [...row.querySelectorAll('th, td.r')].map(({ textContent }) => textContent).join(' | '),
  );

it('opening it rates, selects and sends nothing', async () => {
  const studio = await open();
  expect(rated()).toBe('Keep take 3');
  for (const call of ['jobs.judge', 'storyboard.save', 'storyboard.makeTake', 'library.bin'] as const)
    expect(studio.callsOf(call)).toEqual([]);
});

it('the new takes stand with the selected one; a key brings another one beside, and Shift-click that one', async () => {
  await open();
  expect(tiles()).toEqual(['Take 2, Keep, Selected take', 'Take 3', 'Take 4']);
  expect(sides()).toEqual(['Take 3']);
  await click(byText('2', '[role="radio"]'));
  expect(sides()).toEqual(['A: Take 2', 'B: Take 3']);
  await press('t');
  expect(sides()).toEqual(['A: Take 2', 'B: Take 3', 'C: Take 4']);
  await press('x');
  expect(sides()).toEqual(['A: Take 3', 'B: Take 2', 'C: Take 4']);
  await press('4');
  expect([rated(), sides()]).toEqual(['Keep take 4', ['A: Take 3', 'B: Take 2', 'C: Take 4']]);
});

it('says which words differ from those of the selected take', async () => {
  await open();
  const words = document.querySelector('.diff .prompt');
  expect(words?.querySelector('del')?.textContent).toBe('warm');
  expect(words?.querySelector('ins')?.textContent).toBe('colder');
  expect([...document.querySelectorAll('.diff thead th')].map((head) => head.textContent)).toEqual([
    'Take 2',
    'Take 3',
  ]);
});

it('says how it fits the shots around it, beside the selected take, and what is not measured yet', async () => {
  await open();
  await until(() => expect(joints()).toHaveLength(4));
  expect(joints()).toEqual([
    'From shot 1: Cut | Matches, ΔE 0.0 | Same as take 2',
    'LoudnessSilent at the link. |  | ',
    'To shot 3: Extend | Jump, ΔE 20.0 | Take 2: 0.0',
    'LoudnessSilent at the link. |  | ',
  ]);
  await press('4');
  await until(() =>
    expect(joints()).toEqual([
      'From shot 1: CutShot 2 is being measured. |  | ',
      'To shot 3: ExtendShot 2 is being measured. |  | ',
    ]),
  );
});

it('says before what Keep makes outdated, and what remaking that costs', async () => {
  await open();
  await until(() => expect(effect()).toContain('Keeping take 3 makes shot 3 outdated.'));
  await until(() => expect(effect()).toContain('Remaking costs up to $2.40'));
});

it('Keep also selects the take, each rating goes on to the next, and each is taken back with what it selected', async () => {
  const studio = await open();
  await press('y');
  await until(() => expect(rated()).toBe('Keep take 4'));
  expect(tiles()).toEqual(['Take 2, Keep', 'Take 3, Keep, Selected take', 'Take 4']);
  await press('n');
  await until(() => expect(counts()).toEqual(['1', '0', '1']));
  await press('z', { ctrlKey: true });
  await until(() => expect(tiles()).toEqual(['Take 2, Keep', 'Take 3, Keep, Selected take', 'Take 4']));
  await press('z', { ctrlKey: true });
  await until(() => expect(tiles()).toEqual(['Take 2, Keep, Selected take', 'Take 3', 'Take 4']));
  expect(studio.callsOf('jobs.judge')).toEqual([
    { id: 'b3', verdict: 'keep' },
    { id: 'b4', verdict: 'no' },
    { id: 'b4', verdict: null },
    { id: 'b3', verdict: null },
  ]);
});

it('a key that is pressed twice at once rates one take', async () => {
  const studio = await open();
  await Promise.all([press('n'), press('n')]);
  await until(() => expect(rated()).toBe('Keep take 4'));
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'b3', verdict: 'no' }]);
});

it('the same rating once more takes it back, and where nothing is left a key rates nothing', async () => {
  const studio = await open();
  await press('m');
  await until(() => expect(rated()).toBe('Keep take 4'));
  await press('3');
  await press('m');
  await until(() => expect(tiles()).toEqual(['Take 2, Keep, Selected take', 'Take 3', 'Take 4']));
  await press('n');
  await press('n');
  await until(() => expect(counts()).toEqual(['0', '0', '2']));
  const before = studio.callsOf('jobs.judge').length;
  await press('n');
  expect(studio.callsOf('jobs.judge')).toHaveLength(before);
});

it('ends with what is outdated at its price, which the chord orders once', async () => {
  const outdated = SHOTS.map((one) => (one.id === 'b' ? { ...one, activeTake: 'b3' } : one));
  const studio = await open(outdated);
  await press('n');
  await until(() => expect(rated()).toBe('Keep take 4'));
  await press('n');
  await until(() => expect(textOf('.done .btn.pri')).toBe('Make shot 3 againup to $2.40Ctrl ↵'));
  expect(studio.callsOf('storyboard.makeTakes')).toEqual([]);
  await press('Enter', { ctrlKey: true });
  await until(() => expect(studio.callsOf('storyboard.makeTakes')).toHaveLength(1));
  expect(studio.callsOf('storyboard.makeTakes')[0]).toMatchObject({ shotIds: ['c'] });
});

it('what was rated No goes into the bin only by its button, and never what the film uses', async () => {
  const studio = await open(SHOTS.map((one) => (one.id === 'b' ? { ...one, activeTake: 'b4' } : one)));
  await press('n');
  await press('n');
  await until(() => expect(counts()).toEqual(['0', '0', '2']));
  expect(studio.callsOf('library.bin')).toEqual([]);
  await click(byText('Bin 1 take', '.rvSteps button'));
  await until(() => expect(studio.callsOf('library.bin')).toEqual([{ ids: ['c-b3'] }]));
});

/** A take with two clips of one request. */
const withTwo = (id: string): Job => {
  const [clip] = made(id).outputs;
  const outputs = [1, 2].map((n) => anAsset({ ...clip, id: `c-${id}-${n}`, sha256: `${id}${n}` }));
  return made(id, 'Sea, colder light', { outputs });
};

it('a No to each clip of a take stays a No, and the key goes on to its next clip, then to the next take', async () => {
  const studio = await open(SHOTS, [withTwo('b3')]);
  expect(rated()).toBe('Keep take 3, 1 of 2');
  await press('n');
  await until(() => expect(rated()).toBe('Keep take 3, 2 of 2'));
  await press('n');
  await until(() => expect(rated()).toBe('Keep take 4'));
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'b3', verdict: 'no' }]);
});

it('of a take with two clips the one that is kept is selected', async () => {
  const studio = await open(SHOTS, [withTwo('b3')]);
  await press('ArrowRight');
  expect(rated()).toBe('Keep take 3, 2 of 2');
  await press('y');
  await until(() => expect(rated()).toBe('Keep take 4'));
  expect(tiles()).toEqual(['Take 2, Keep', 'Take 3, Keep', 'Take 3, Keep, Selected take', 'Take 4']);
  expect(studio.callsOf('jobs.judge')).toEqual([{ id: 'b3', verdict: 'keep' }]);
});

it('shows each result of a job of no shot: its pictures, or its words', async () => {
  const pictures = [1, 2].map((n) =>
    anAsset({ id: `p${n}`, sha256: `p${n}`, mime: 'image/png', role: 'output', jobId: 'p' }),
  );
  const request = {
    kind: 'chat' as const,
    model: 'language',
    messages: [{ role: 'user' as const, content: 'A line' }],
  };
  const result = { text: 'The lamp is lit.', finishReason: 'stop' as const };
  const others = [
    aJob({ id: 'p', state: 'succeeded', request: { kind: 'imagine', prompt: 'Poster' }, outputs: pictures }),
    aJob({ id: 'w', kind: 'chat', state: 'succeeded', request, outputs: [], result }),
  ];
  night = nightOf(['p', 'w']);
  await open(SHOTS, others);
  await until(() => expect(sides()).toEqual(['Picture 1']));
  await press('3');
  expect(sides()).toEqual(['Text 3']);
  expect(textOf('.text')).toBe('The lamp is lit.');
  await press('y');
  await until(() => expect(rated()).toBe('Keep picture 1'));
});

it('a file that cannot be displayed names its format and can be saved', async () => {
  const outputs = [anAsset({ id: 'v', sha256: 'v', mime: 'video/vnd.avi', role: 'output', jobId: 'p' })];
  night = nightOf(['p']);
  await open(SHOTS, [aJob({ id: 'p', state: 'succeeded', request: { kind: 'imagine', prompt: 'Poster' }, outputs })]);
  expect(textOf('.fit')).toContain('AVI');
  expect(about()).toContain('Dailies cannot display AVI files.');
  expect(document.querySelectorAll('.about a[download]')).toHaveLength(1);
  expect(document.querySelectorAll('video')).toHaveLength(0);
});

it('a rating goes on to the next result only from its own', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  judging = promise;
  night = nightOf(['x', 'y', 'z']);
  await open(
    SHOTS,
    ['x', 'y', 'z'].map((id) => made(id)),
  );
  await press('y');
  await press('3');
  expect(rated()).toBe('Keep clip 3');
  await acting(() => answer());
  expect(rated()).toBe('Keep clip 3');
});

it('a long run is reviewed as it was first listed, and says how many more wait', async () => {
  night = nightOf(['x'], LONG);
  const studio = await open(SHOTS, [made('x'), made('y'), made('z')]);
  night = nightOf(['y', 'z'], { ...LONG, run: { ...night.run, number: 77 } });
  await studio.emit({ type: 'night.changed', status: statusOf(null) });
  await until(() => byText('Overnight run 77', '[role="radio"]'));
  expect(progress()).toBe('0 of 1 rated');
  await press('n');
  await click(await found('Review 409 takes'));
  await until(() => expect(progress()).toBe('0 of 2 rated'));
});

async function found(text: string): Promise<HTMLElement> {
  await until(() => byText(text, '.rvSteps button'));
  return byText(text, '.rvSteps button');
}

it('a shot is reviewed with all its takes, and a rating stays within it', async () => {
  window.location.hash = '#/review?shot=b';
  await open();
  expect(tiles()).toEqual(['Take 1', 'Take 2, Keep, Selected take', 'Take 3', 'Take 4']);
  expect(progress()).toBe('1 of 4 rated');
  for (const next of ['Keep take 3', 'Keep take 4']) {
    await press('n');
    await until(() => expect(rated()).toBe(next));
  }
  await press('n');
  await until(() => expect(counts()).toEqual(['1', '0', '3']));
  await press('Escape');
  expect(window.location.hash).toBe('#/storyboard');
});

const unpriced = { ...aJob().money, chargedNano: 0, chargedLowNano: 0, unpriced: true as const };

it('a take whose price is not known costs nothing that is known', async () => {
  await open(SHOTS, [made('b3', 'Sea, colder light', { money: unpriced })]);
  expect(about()).toContain(labels.priceNotKnown);
});
