import { expect, test } from 'vitest';
import type { Asset } from '../../../../shared/asset.ts';
import type { Shot } from '../../../../shared/board.ts';
import type { Job } from '../../../../shared/job.ts';
import type { FrameMeasure, MeasuredFile, MediaMeasures } from '../../../../shared/measures.ts';
import { DEFAULT_SEAM_LIMITS } from '../../../../shared/seamLimits.ts';
import { GRID_BYTES, textOfGrid } from '../../../media/measure/grid.ts';
import { jointChoices } from '../joint/jointChoices.ts';
import { linkedShot, quantityOfShot } from '../model/draft.ts';
import { emptyShot } from '../model/shots.ts';
import { viewOf } from '../model/view.ts';
import { seamOf } from './seam.ts';
import { type SeamView, sideOf } from './useSeams.ts';
import { type Way, waysOf } from './ways.ts';

/** A way is made as it is priced: what stands at the button is what the next take of the changed shot would be. */

const clip = (id: string) =>
  ({ id: `c-${id}`, sha256: id, lastFrameId: `f-${id}`, seconds: 4, role: 'output' }) as Asset;
const job = (id: string, model: string): Job =>
  ({
    id,
    kind: 'video',
    state: 'succeeded',
    profileId: 'p',
    model,
    outputs: [clip(id)],
    dependsOn: [],
    request: {},
  }) as never;
const shot = (id: string, more: Partial<Shot>): Shot => ({
  ...emptyShot(id, 'm'),
  prompt: id,
  takes: [`${id}1`],
  activeTake: `${id}1`,
  ...more,
});

function waysAt(second: Partial<Shot>, modelOfFirst = 'm', sound?: { value: number }) {
  const jobs = new Map([job('a1', modelOfFirst), job('b1', 'm')].map((one) => [one.id, one]));
  const known = { jobs, assets: new Map() };
  const shots = [shot('a', {}), shot('b', second)];
  const views = viewOf(shots, known);
  const [before, after] = views;
  if (!before || !after) throw new Error('two shots have one joint');
  const sides = [{ why: 'none' }, { why: 'none' }] as const;
  const measured = seamOf(...sides, DEFAULT_SEAM_LIMITS);
  const step = sound ? { sound: { finding: 'step' as const, around: 0, above: 2, ...sound } } : {};
  const seam: SeamView = { before, after, sides, seam: { ...measured, ...step }, verdict: 'jumps' };
  const choices = jointChoices(views, 1, {
    lookUp: () => ({ status: 'ready', type: 'video' }),
    profileId: 'p',
    models: ['m', 'other'],
  });
  const ways = waysOf(seam, { choices, files: new Map(), limits: DEFAULT_SEAM_LIMITS, newId: 'new' });
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
  return { ways, sent };
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
  expect(ways.map(({ off }) => off === undefined)).toEqual([false, true, false, false, false, false]);
  expect(ways[1] && sent(ways[1])).toMatchObject({ joint: 'continue', source: 'first' });
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
  expect(waysAt({ source: 'first', image: { assetId: 'f-a1' } }).ways[2]?.off).toContain('picture of its own');
});

const measuredAs = (grey: number): MeasuredFile => {
  const frames = [0, 1].map(
    (index): FrameMeasure => ({ at: index / 24, lab: [42, 1, 2], change: index === 0 ? null : 0 }),
  );
  const grid = textOfGrid(new Uint8Array(GRID_BYTES).fill(grey));
  const pictures = { width: 16, height: 9, frames: 2, fps: 24, first: grid, last: grid, start: frames, end: frames };
  return { state: 'measured', measures: { seconds: 2, pictures } as MediaMeasures };
};

/** Bug: the second candidate of a take was measured and offered, and its first one played then. */
test('the candidate of another take that was measured is the one that plays then', () => {
  const second = { ...job('a2', 'm'), outputs: [clip('far'), clip('near')] };
  const local = ({ outputs, ...one }: Job): Job => ({
    ...one,
    outputs: outputs.map((output) => ({ ...output, state: 'local', mime: 'video/mp4' })),
  });
  const jobs = new Map([job('a1', 'm'), second, job('b1', 'm')].map((one) => [one.id, local(one)]));
  const shots = [shot('a', { takes: ['a1', 'a2'] }), shot('b', {})];
  const [before, after] = viewOf(shots, { jobs, assets: new Map() }, { a2: 1 });
  if (!before || !after) throw new Error('two shots have one joint');
  const looks = { a1: 200, far: 220, near: 101, b1: 100 };
  const files = new Map(Object.entries(looks).map(([sha256, grey]) => [sha256, measuredAs(grey)]));
  const sides = [sideOf(before, before.active, files), sideOf(after, after.active, files)] as const;
  const seam: SeamView = { before, after, sides, seam: seamOf(...sides, DEFAULT_SEAM_LIMITS), verdict: 'jumps' };
  const ways = waysOf(seam, { choices: undefined, files, limits: DEFAULT_SEAM_LIMITS, newId: 'new' });
  expect(ways[3]).toMatchObject({
    title: 'Use take 2 of shot 1',
    plays: { shotId: 'a', jobId: 'a2', index: 1 },
  });
});

/** Bugs: a free way costs something, or changes a take; it cannot be taken back. */
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
