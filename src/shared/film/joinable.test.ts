import { expect, test } from 'vitest';
import type { FilmSegment, MoviePlan } from './filmExport.ts';
import { codecDifferences, constantRate, type JoinFacts, streamDifferences } from './joinable.ts';

const sound = { codec: 'aac' as const, sampleRate: 48_000, channels: 2, setup: 'mp4a.40.2 1190' };
const clip: JoinFacts = {
  ...{ width: 320, height: 180, rotation: 0, videoCodec: 'avc', videoSetup: 'x', frames: 48, fps: 24 },
  ...{ hidden: 0, late: 0, pieces: 1, audio: sound },
};

const FITS = { pictures: [], sound: [] };
const mix = { sources: [], headroom: 1, isAsked: false };
const shot = { shotId: 's', title: '', kind: 'clip' as const, assetId: 'a', frames: 48, seconds: 2, hasAudio: true };

function planOf(count: number, kinds: readonly FilmSegment['kind'][] = []): MoviePlan {
  const segments = Array.from({ length: count }, (_, index) => ({
    ...shot,
    number: index + 1,
    gainDb: 0,
    kind: kinds[index] ?? ('clip' as const),
  }));
  return { projectId: 'p', name: 'Film', fps: { num: 24, den: 1 }, width: 320, height: 180, segments, mix, words: [] };
}

test('clips that are alike can be joined, and one frame more or less is the file’s own', () => {
  expect(streamDifferences(planOf(3), [clip, { ...clip, frames: 49 }, { ...clip, fps: 24.001 }])).toEqual(FITS);
});

test('more than one frame too many in the whole film keeps its clips from being joined', () => {
  const longer = { ...clip, frames: 49 };
  expect(streamDifferences(planOf(3), [clip, longer, longer]).pictures).toEqual([
    'Shot 2 has 49 frames, the film needs 48.',
    'Shot 3 has 49 frames, the film needs 48.',
  ]);
  expect(streamDifferences(planOf(3), [clip, longer, { ...clip, frames: 47 }])).toEqual(FITS);
});

test.each<[string, Partial<JoinFacts>]>([
  ['is coded as hevc, the film as avc', { videoCodec: 'hevc' }],
  ['is coded in a way that is not known here', { videoCodec: null }],
  ['is 640 × 180, the film 320 × 180', { width: 640 }],
  ['is turned by 90°', { rotation: 90 }],
  ['has no constant frame rate', { fps: null }],
  ['has 25 frames a second, the film 24', { fps: 25 }],
  ['has 60 frames, the film needs 48', { frames: 60 }],
  ['has 5 frames that its edit list hides', { hidden: 5 }],
  ['begins 12 frames after its sound', { late: 12 }],
  ['is cut into pieces by its edit list', { pieces: 2 }],
  ['was encoded with other settings than the first clip', { videoSetup: 'y' }],
])('a clip that %s keeps the pictures from being joined', (sentence, odd) => {
  const found = streamDifferences(planOf(2), [clip, { ...clip, ...odd }]);
  expect(found).toEqual({ pictures: [`Shot 2 ${sentence}.`], sound: [] });
});

test.each<[string, Partial<JoinFacts>]>([
  ['has sound in opus, the film in aac', { audio: { ...sound, codec: 'opus' } }],
  ['has sound at 44100 Hz, the film at 48000 Hz', { audio: { ...sound, sampleRate: 44_100 } }],
  ['has 1 channels of sound, the film 2', { audio: { ...sound, channels: 1 } }],
  ['has sound that was encoded with other settings than the first', { audio: { ...sound, setup: 'mp4a.40.2 1208' } }],
])('a clip that %s has the sound encoded, and the pictures joined', (sentence, odd) => {
  const found = streamDifferences(planOf(2), [clip, { ...clip, ...odd }]);
  expect(found).toEqual({ pictures: [], sound: [`Shot 2 ${sentence}.`] });
});

test('a silent clip is no obstacle where silence of that coding is known, and is one elsewhere', () => {
  expect(streamDifferences(planOf(2), [clip, { ...clip, audio: null }])).toEqual(FITS);
  const opus = { ...clip, audio: { ...sound, codec: 'opus' as const, setup: 'opus' } };
  expect(streamDifferences(planOf(2), [opus, { ...clip, audio: null }]).sound).toEqual([
    'Shot 2 has no sound, and silence in opus has to be encoded.',
  ]);
});

test('a mix has the sound encoded, words that are burnt in the pictures', () => {
  const plan = planOf(2);
  const mixed = { ...plan, mix: { ...mix, isAsked: true } };
  expect(streamDifferences(mixed, [clip, clip])).toEqual({ pictures: [], sound: ['The board mixes the sound.'] });
  const worded = { ...plan, words: [{ startMs: 0, endMs: 500, text: 'Go.' }] };
  expect(streamDifferences(worded, [clip, clip]).pictures).toEqual([
    'Subtitles are drawn into the pictures, so they are encoded again.',
  ]);
});

test('a still and a hole are told, and a film without a clip is none', () => {
  expect(streamDifferences(planOf(3, ['clip', 'still', 'gap']), [clip, null, null]).pictures).toHaveLength(2);
  expect(streamDifferences(planOf(1, ['still']), [null]).pictures).toEqual(['The film has no clip to join.']);
});

test('a rate is constant where every frame is at its place, in whatever order they are stored', () => {
  const at = (fps: number) => Array.from({ length: 48 }, (_, frame) => Math.round((frame / fps) * 90_000) / 90_000);
  expect(constantRate(at(24))).toBeCloseTo(24, 3);
  expect(constantRate(at(30_000 / 1_001).reverse())).toBeCloseTo(29.97, 2);
  expect(constantRate([0, 1 / 24, 3 / 24, 4 / 24])).toBeNull();
  expect(constantRate([0])).toBeNull();
});

test('of what keeps clips from being joined, the codings are told apart', () => {
  const odd: Partial<JoinFacts>[] = [{}, { videoSetup: 'y' }, { width: 640 }, { audio: { ...sound, setup: 'z' } }];
  const streams = odd.map((one) => ({ ...clip, ...one }));
  expect(codecDifferences(planOf(4), streams)).toEqual([
    { number: 2, message: 'Shot 2 was encoded with other settings than the first clip.' },
    { number: 4, message: 'Shot 4 has sound that was encoded with other settings than the first.' },
  ]);
  expect(codecDifferences(planOf(2), [clip, { ...clip, frames: 60 }])).toEqual([]);
});
