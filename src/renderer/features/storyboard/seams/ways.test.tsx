import { expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import { DEFAULT_SEAM_LIMITS } from '../../../../shared/film/continuityLimits.ts';
import type { FrameMeasure, MeasuredFile, MediaMeasures } from '../../../../shared/film/measures.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { GRID_BYTES, textOfGrid } from '../../../../shared/library/picture/grid.ts';
import { type Fitting, fittingOf } from '../link/chains.ts';
import { chooseLink, linkChoices } from '../link/linkChoices.ts';
import { linkedShot, quantityOfShot } from '../model/draft.ts';
import { emptyShot } from '../model/shots.ts';
import { viewOf } from '../model/view.ts';
import { type SeamView, seamOf, sideOf } from './seam.ts';
import { type Way, waysOf } from './ways.ts';

/** A way is made as it is priced: what stands at the button is what the next take of the changed shot would be. */

const clip = (id: string) =>
  ({ id: `c-${id}`, sha256: id, lastFrameId: `f-${id}`, seconds: 4, role: 'output' }) as Asset;
const job = (id: string, model: string, request = {}): Job =>
  ({
    id,
    kind: 'video',
    state: 'succeeded',
    profileId: 'p',
    model,
    outputs: [clip(id)],
    dependsOn: [],
    request,
  }) as never;
const shot = (id: string, more: Partial<Shot>): Shot => ({
  ...emptyShot(id, 'm'),
  prompt: id,
  takes: [`${id}1`],
  activeTake: `${id}1`,
  ...more,
});

const FACTS = { fitting: { done: undefined, coming: undefined }, full: undefined };

function waysAt(second: Partial<Shot>, modelOfFirst = 'm', sound?: { value: number }, made?: object) {
  const jobs = new Map([job('a1', modelOfFirst), job('b1', 'm', made)].map((one) => [one.id, one]));
  const known = { jobs, assets: new Map() };
  const shots = [shot('a', {}), shot('b', second)];
  const views = viewOf(shots, known);
  const [before, after] = views;
  if (!before || !after) throw new Error('two shots have one joint');
  const sides = [{ why: 'none' }, { why: 'none' }] as const;
  const measured = seamOf(...sides, DEFAULT_SEAM_LIMITS);
  const step = sound ? { sound: { finding: 'step' as const, around: 0, above: 2, ...sound } } : {};
  const seam: SeamView = { before, after, sides, seam: { ...measured, ...step }, verdict: 'jumps' };
  const choices = linkChoices(views, 1, {
    lookUp: () => ({ status: 'ready', type: 'video' }),
    profileId: 'p',
    models: ['m', 'other'],
  });
  const ways = waysOf(seam, { choices, files: new Map(), limits: DEFAULT_SEAM_LIMITS, newId: 'new', ...FACTS });
  /** The take that the studio would make of the shot after the way has changed the board. */
  const sent = ({ makes }: Way): Shot | undefined => {
    const { start = {}, added } = makes?.order ?? {};
    const news = added && makes ? [{ ...(added.shot as Shot), id: makes.shot.id, takes: [] }] : [];
    const all = shots.flatMap((one) => (one.id === added?.before ? [...news, one] : [one]));
    const board = all.map((one) => (one.id === makes?.shot.id ? { ...one, ...start } : one));
    const changed = viewOf(board as Shot[], known);
    const view = changed.find((one) => one.shot.id === makes?.shot.id);
    return view && linkedShot({ shots: changed, media: known }, view);
  };
  return { ways, sent, shots, choices };
}

test('another joint than the chosen one is what is made and paid for, not the chosen one again', () => {
  const { ways, sent } = waysAt({ joint: 'continue', source: 'first', image: { jobId: 'a0', frame: 'last' } });
  const [again, extend] = ways;
  expect(extend?.title).toBe('Extend shot 1 instead');
  expect(extend && sent(extend)).toMatchObject({ joint: 'extend', source: 'extend', video: { jobId: 'a1' } });
  expect(extend && quantityOfShot(sent(extend) as Shot)?.quantity).toEqual(
    extend?.makes && quantityOfShot(extend.makes.shot)?.quantity,
  );
  expect(again && sent(again)).toMatchObject({ joint: 'continue', image: { jobId: 'a1', frame: 'last' } });
});

test('an extension is made with the model of the clip that it extends', () => {
  const { ways, sent } = waysAt({ joint: 'continue', source: 'first' }, 'other');
  expect(ways[1] && sent(ways[1])).toMatchObject({ model: 'other' });
});

test('a cut can be continued, and what it has no use for is off with a reason', () => {
  const { ways, sent } = waysAt({});
  expect(ways.map(({ off }) => off === undefined)).toEqual([false, true, false, false, false]);
  expect(ways[1] && sent(ways[1])).toMatchObject({ joint: 'continue', source: 'first' });
});

test.each([
  { source: 'first', image: { assetId: 'mine' } },
  { source: 'firstLast', image: { assetId: 'mine' }, lastFrame: { assetId: 'end' } },
] satisfies Partial<Shot>[])('a cut keeps the start that was chosen in place of the shot before: $source', (second) => {
  const { shots, choices } = waysAt(second, 'm', undefined, {
    kind: 'video',
    image: { jobId: 'a1', frame: 'last' },
  });
  const made = choices && chooseLink(choices, 'cut')(shots);
  expect(made?.[1]).toMatchObject({ ...second, joint: 'cut' });
  expect(choices?.choices[0]?.shot).toEqual(made?.[1]);
});

test('a transition is a new shot between them, and needs another picture to end on than the one it begins with', () => {
  const { ways, sent } = waysAt({ source: 'first', image: { assetId: 'mine' } });
  const [, , between] = ways;
  expect(between && sent(between)).toMatchObject({
    id: 'new',
    source: 'firstLast',
    image: { jobId: 'a1', frame: 'last' },
    lastFrame: { assetId: 'mine' },
    takes: [],
  });
  expect(between?.makes?.order.added?.before).toBe('b');
  expect(waysAt({ source: 'first', image: { assetId: 'f-a1' } }).ways[2]?.off).toContain('needs a first frame');
});

const measuredAs = (grey: number): MeasuredFile => {
  const frames = [0, 1].map(
    (index): FrameMeasure => ({ at: index / 24, lab: [42, 1, 2], change: index === 0 ? null : 0 }),
  );
  const grid = textOfGrid(new Uint8Array(GRID_BYTES).fill(grey));
  const pictures = { width: 16, height: 9, frames: 2, fps: 24, first: grid, last: grid, start: frames, end: frames };
  return { state: 'measured', measures: { seconds: 2, pictures } as MediaMeasures };
};

test('the candidate of another take that was measured is the one that plays then', () => {
  const second = { ...job('a2', 'm'), outputs: [clip('near'), clip('far')] };
  const local = ({ outputs, ...one }: Job): Job => ({
    ...one,
    outputs: outputs.map((output) => ({ ...output, state: 'local', mime: 'video/mp4' })),
  });
  const jobs = new Map([job('a1', 'm'), second, job('b1', 'm')].map((one) => [one.id, local(one)]));
  const shots = [shot('a', { takes: ['a1', 'a2'] }), shot('b', {})];
  const [before, after] = viewOf(shots, { jobs, assets: new Map() });
  if (!before || !after) throw new Error('two shots have one joint');
  const looks = { a1: 200, far: 220, near: 101, b1: 100 };
  const files = new Map(Object.entries(looks).map(([sha256, grey]) => [sha256, measuredAs(grey)]));
  const sides = [
    sideOf(before, before.active, { files, at: 'out' }),
    sideOf(after, after.active, { files, at: 'in' }),
  ] as const;
  const seam: SeamView = { before, after, sides, seam: seamOf(...sides, DEFAULT_SEAM_LIMITS), verdict: 'jumps' };
  const ways = waysOf(seam, { choices: undefined, files, limits: DEFAULT_SEAM_LIMITS, newId: 'new', ...FACTS });
  expect(ways[3]).toMatchObject({
    title: labels.useTakeOfShot(2, 1),
    plays: { shotId: 'a', jobId: 'a2', index: 0 },
  });
});

test('the sound of a joint is levelled in the export, free, and left as it came again', () => {
  const level = waysAt({}, 'm', { value: 4.2 }).ways[4];
  expect(level).toMatchObject({ title: 'Level the sound in the export', text: '−4.2 LU over the first 0.5 s.' });
  expect(level?.makes).toBeUndefined();
  const shots = [shot('a', {}), shot('b', {})];
  const levelled = level?.edit?.(shots) ?? [];
  expect(levelled.map(({ isLevelled }) => isLevelled)).toEqual([undefined, true]);
  expect(levelled[1]?.takes).toEqual(shots[1]?.takes);
  const back = waysAt({ isLevelled: true }, 'm', { value: 4.2 }).ways[4];
  expect(back?.edit?.(levelled).map(({ isLevelled }) => isLevelled)).toEqual([undefined, undefined]);
});

test.each(
  (['text', 'first', 'firstLast', 'references', 'extend'] as const).flatMap((source) =>
    (['cut', 'continue', 'transition', 'extend', undefined] as const).map((joint) => ({ source, joint })),
  ),
)('each way is priced by what is sent: $source, $joint', ({ source, joint }) => {
  const config = { durationSeconds: 8, resolution: '1080p', generateAudio: false, sampleCount: 2 } as const;
  const start = { image: { assetId: 'mine' }, video: { jobId: 'a0' }, referenceImages: [{ assetId: 'r' }] };
  const { ways, sent } = waysAt({ source, config, ...start, ...(joint ? { joint } : {}) }, 'other');
  const priced = ways.filter(({ makes }) => makes);
  expect(priced.length).toBeGreaterThan(0);
  for (const way of priced) {
    const shown = way.makes && quantityOfShot(way.makes.shot);
    const paid = quantityOfShot(sent(way) as Shot);
    expect({ ...shown, title: way.title }).toEqual({ ...paid, title: way.title });
  }
});

const madeFrom = (id: string, jobId: string, state: Job['state'] = 'succeeded'): Job => ({
  ...job(id, 'm'),
  state,
  outputs: state === 'succeeded' ? [{ ...clip(id), state: 'local', mime: 'video/mp4' }] : [],
  request: { kind: 'video', model: 'm', prompt: 'b', video: { jobId } },
  inputs: [{ field: 'video', jobId, output: 0 }],
});

/** The second shot extends take 1 of the first, where take 2 plays now; it has this second take. */
function staleJoint(second: Job) {
  const jobs = new Map([job('a1', 'm'), job('a2', 'm'), madeFrom('b1', 'a1'), second].map((one) => [one.id, one]));
  const joined: Partial<Shot> = { joint: 'extend', source: 'extend', video: { jobId: 'a1' }, takes: ['b1', 'b2'] };
  const shots = [shot('a', { takes: ['a1', 'a2'], activeTake: 'a2' }), shot('b', joined)];
  const views = viewOf(shots, { jobs, assets: new Map() });
  const [before, after] = views;
  if (!before || !after) throw new Error('two shots have one joint');
  const sides = [{ why: 'none' }, { why: 'none' }] as const;
  const seam: SeamView = { before, after, sides, seam: seamOf(...sides, DEFAULT_SEAM_LIMITS), verdict: 'not measured' };
  const fitting: Fitting = fittingOf(views, after, { assets: new Map(), cast: undefined });
  const choices = linkChoices(views, 1, {
    lookUp: () => ({ status: 'ready', type: 'video' }),
    profileId: 'p',
    models: ['m'],
  });
  const facts = { choices, files: new Map(), limits: DEFAULT_SEAM_LIMITS, newId: 'new', full: undefined };
  return { after, fitting, ways: waysOf(seam, { ...facts, fitting }) };
}

test('a take that was made anew and fits is used first, free; its price is not asked once more', () => {
  const { after, ways } = staleJoint(madeFrom('b2', 'a2'));
  expect(after.link?.isStale).toBe(true);
  expect(ways).toHaveLength(5);
  expect(ways[0]).toMatchObject({ title: labels.useTakeOfShot(2, 2), plays: { shotId: 'b', jobId: 'b2', index: 0 } });
  expect(ways[0]?.makes).toBeUndefined();
  expect(ways[1]?.title).toBe(labels.extendAgain);
  // A key that is known by heart stays that of its way.
  expect(ways.map(({ number }) => number)).toEqual([4, 1, 2, 3, 5]);
});

test('while such a take is being made it is told, and one from the wrong start or without its clip is none', () => {
  const { fitting, ways } = staleJoint(madeFrom('b2', 'a2', 'running'));
  expect(fitting).toMatchObject({ done: undefined, coming: { number: 2 } });
  expect(ways[0]).toMatchObject({
    title: labels.extendAgain,
    text: expect.stringContaining('Take 2 is already being made'),
  });
  const gone = madeFrom('b2', 'a2');
  const expired = { ...gone, outputs: gone.outputs.map((output) => ({ ...output, state: 'expired' as const })) };
  expect(staleJoint(expired).fitting.done).toBeUndefined();
  expect(staleJoint(madeFrom('b2', 'a1')).fitting).toEqual({ done: undefined, coming: undefined });
});
