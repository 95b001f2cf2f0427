import { expect, test } from 'vitest';
import { toSend } from '../../../../shared/board/assignReferences.ts';
import { requestOfShot, shotSchema } from '../../../../shared/board/board.ts';
import type { MediaFacts } from '../../../../shared/library/mediaRef.ts';
import { quantityOfShot, reasonsOfShot } from './draft.ts';
import {
  type BoardEdit,
  continuation,
  duplicateOf,
  emptyShot,
  extension,
  insertAt,
  moveShot,
  ownTypeAt,
  patchConfig,
  plannedSeconds,
  setReference,
  shotLike,
  withoutType,
  withType,
} from './shots.ts';
import { clock, spanAt, spansOf, tickStep } from './timeline.ts';

const shot = { ...emptyShot('a', 'video-standard'), prompt: 'sea', takes: ['t1', 't2'], activeTake: 't2' };
const ready =
  (facts: Partial<MediaFacts> = {}) =>
  () =>
    ({ status: 'ready', type: 'image', ...facts }) as MediaFacts;
const limits = { contextTokens: 128_000 };

test('moving counts places in the list without the moved shot, and never loses one', () => {
  const shots = ['a', 'b', 'c'].map((id) => emptyShot(id, 'm'));
  const ids = (to: number) => moveShot('a', to)(shots).map(({ id }) => id);
  expect(ids(0)).toEqual(['a', 'b', 'c']);
  expect(ids(1)).toEqual(['b', 'a', 'c']);
  expect(ids(9)).toEqual(['b', 'c', 'a']);
  expect(moveShot('gone', 0)(shots)).toEqual(shots);
});

test('a removed shot comes back to its place once', () => {
  const [a, b] = ['a', 'b'].map((id) => emptyShot(id, 'm')) as [typeof shot, typeof shot];
  const back = insertAt(a, 0);
  expect(back([b]).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(back(back([b]))).toHaveLength(2);
});

test('a duplicate has the words and none of the takes', () => {
  expect(duplicateOf(shot, 'b')).toMatchObject({ id: 'b', prompt: 'sea', takes: [] });
  expect(duplicateOf(shot, 'b').activeTake).toBeUndefined();
});

/** A new shot after one with four variations would silently cost four times as much. */
test.each(['sampleCount', 'numberOfVideos'] as const)('what is set up like a shot with four %s has one', (count) => {
  const four = { ...shot, config: { ...shot.config, seed: 5, [count]: 4 } };
  expect(quantityOfShot(four)?.quantity).toMatchObject({ videos: 4 });
  for (const next of [shotLike('b', four), duplicateOf(four, 'b')])
    expect(quantityOfShot(next)?.quantity).toEqual({ seconds: 4, videos: 1 });
});

test('a new shot is the cheapest that is sensible: 720p, four seconds, one clip', () => {
  const one = emptyShot('x', 'm');
  expect(one.config).toEqual({ resolution: '720p', durationSeconds: 4, aspectRatio: '16:9', generateAudio: true });
  expect(quantityOfShot(one)?.quantity).toEqual({ seconds: 4, videos: 1 });
});

test('taking a setting back leaves no empty field, which the contract would refuse', () => {
  const [changed] = patchConfig('a', { seed: undefined, sampleCount: 2 })([
    { ...shot, config: { ...shot.config, seed: 5 } },
  ]);
  expect(changed?.config).not.toHaveProperty('seed');
  expect(changed?.config.sampleCount).toBe(2);
});

test('the next shot starts from the last frame, or extends by seven seconds with the same model', () => {
  expect(
    requestOfShot(toSend({ ...continuation('b', shot, { jobId: 't2', frame: 'last' }), prompt: 'x' })),
  ).toMatchObject({
    image: { jobId: 't2', frame: 'last' },
  });
  const extended = extension('b', shot, { jobId: 't2' }, 'video-pro');
  expect(requestOfShot(toSend(extended))).toMatchObject({
    model: 'video-pro',
    video: { jobId: 't2' },
    config: { durationSeconds: 7 },
  });
  expect(plannedSeconds(extended)).toBe(7);
});

test('what is missing is told in order, and a ready shot has no reasons', () => {
  expect(reasonsOfShot(emptyShot('x', ''), [], ready(), limits).map(({ field }) => field)).toEqual(['prompt', 'model']);
  expect(reasonsOfShot({ ...shot, source: 'firstLast' }, [], ready(), limits).map(({ field }) => field)).toEqual([
    'image',
    'lastFrame',
  ]);
  expect(reasonsOfShot(shot, [], ready(), limits)).toEqual([]);
  const seven = { ...shot, config: { ...shot.config, durationSeconds: 7 } };
  expect(reasonsOfShot(seven, [], ready(), limits)[0]?.message).toContain('4, 6 or 8');
  const other = extension('b', shot, { jobId: 't2' }, 'video-pro');
  const facts = ready({ type: 'video', model: 'video-standard' });
  expect(reasonsOfShot({ ...other, prompt: 'x' }, [], facts, limits)[0]?.message).toContain('same model');
});

test('a shot has its price before it has words or pictures', () => {
  const one = emptyShot('x', 'm');
  expect(quantityOfShot({ ...one, source: 'firstLast' })).toEqual({
    kind: 'video',
    model: 'm',
    quantity: { seconds: 4, videos: 1 },
  });
  const four = { ...one.config, sampleCount: 4 };
  expect(quantityOfShot({ ...one, source: 'extend', config: four })?.quantity).toEqual({ seconds: 28, videos: 4 });
  expect(quantityOfShot(emptyShot('x', ''))).toBeUndefined();
});

test('a shot is priced by its length, an extension by its own', () => {
  const shot = { ...emptyShot('x', 'm'), config: { durationSeconds: 12 } };
  expect(quantityOfShot(shot)?.quantity).toEqual({ seconds: 12, videos: 1 });
  expect(quantityOfShot({ ...shot, source: 'extend' })?.quantity).toEqual({ seconds: 7, videos: 1 });
  expect(quantityOfShot({ ...shot, config: {} })?.quantity).toEqual({ seconds: 8, videos: 1 });
});

test('a time belongs to the shot that begins there, and past the end to the last', () => {
  const spans = spansOf([
    { shotId: 'a', seconds: 8 },
    { shotId: 'b', seconds: 4 },
  ]);
  expect(spanAt(spans, 7.99)?.shotId).toBe('a');
  expect(spanAt(spans, 8)?.shotId).toBe('b');
  expect(spanAt(spans, 99)?.shotId).toBe('b');
  expect(tickStep(31, 1_000)).toBe(2);
});

test('each reference keeps its own type, and an old one for all counts for each', () => {
  const shot = shotSchema.parse({ id: 's', referenceType: 'style' });
  expect(withType(shot, 1, ' mood ')).toEqual(['style', 'mood', 'style']);
  const own = { ...shot, referenceType: ['style', '', 'mood'] };
  expect([0, 1, 2].map((index) => ownTypeAt(own, index))).toEqual(['style', '', 'mood']);
  expect(withoutType(own, 0)).toEqual(['', 'mood']);
  expect(withoutType({ ...shot, referenceType: ['style'] }, 0)).toBeUndefined();
  expect(withType({ ...shot, referenceType: ['style'] }, 0, '')).toBeUndefined();
});

test('a reference is put in its place among those that are there by then, once', () => {
  const ref = (assetId: string) => ({ assetId });
  const own = (ids: string) => ({ ...shot, referenceImages: [...ids].map(ref) });
  const after = (edit: BoardEdit, ids: string) =>
    edit([own(ids)])[0]
      ?.referenceImages.map((one) => ('assetId' in one ? one.assetId : ''))
      .join('');
  const add = setReference(own('x'), { index: 1, was: undefined }, ref('a'));
  expect(['x', '', 'xa', 'xyz'].map((ids) => after(add, ids))).toEqual(['xa', 'a', 'xa', 'xyz']);
  const replace = setReference(own('xy'), { index: 1, was: ref('y') }, ref('a'));
  expect(['xy', 'y', 'x', 'xa', 'zzz'].map((ids) => after(replace, ids))).toEqual(['xa', 'a', 'xa', 'xa', 'zzz']);
  const takeOut = setReference(own('xx'), { index: 0, was: ref('x') }, undefined);
  expect(['xx', 'x', 'zxx'].map((ids) => after(takeOut, ids))).toEqual(['x', 'x', 'zx']);
});

test('a place in a film has hours where it needs them', () => {
  expect([12.9, 75, 10_774].map((at) => clock(at))).toEqual(['0:12', '1:15', '2:59:34']);
  expect([12.64, 59.96, 3_599.99].map((at) => clock(at, 1))).toEqual(['0:12.6', '1:00.0', '1:00:00.0']);
});
