import type { AudioSample } from 'mediabunny';
import { expect, test } from 'vitest';
import { measureSound } from './sound.ts';

const RATE = 48_000;
const tone = (dbfs: number): Float32Array =>
  Float32Array.from({ length: RATE }, (_, at) => 10 ** (dbfs / 20) * Math.sin((2 * Math.PI * 1_000 * at) / RATE));

/** Decoded sound as from a track. */
async function* decoded(planes: readonly Float32Array[]): AsyncGenerator<AudioSample> {
  const sample = {
    sampleRate: RATE,
    numberOfChannels: planes.length,
    numberOfFrames: RATE,
    copyTo: (to: Float32Array, { planeIndex }: { planeIndex: number }) => to.set(planes[planeIndex] ?? []),
    close: () => undefined,
  };
  yield sample as unknown as AudioSample;
}
const measured = (...planes: Float32Array[]) => measureSound(decoded(planes), { codec: 'pcm-s16', seconds: 1 });

test('one channel measures as the same on both sides', async () => {
  const [mono, dual] = [await measured(tone(-23)), await measured(tone(-23), tone(-23))];
  expect(dual?.layout).toBe('stereo');
  expect(mono).toEqual({ ...dual, layout: 'mono' });
  expect(Math.abs((mono?.lufs ?? 0) + 23)).toBeLessThanOrEqual(0.1);
});

test('surround measures as what two ears hear of it', async () => {
  const silence = new Float32Array(RATE);
  const surround = await measured(silence, silence, silence, tone(-6), tone(-23), tone(-23));
  expect(surround?.layout).toBe('5.1');
  expect(Math.abs((surround?.lufs ?? 0) + 26.01)).toBeLessThanOrEqual(0.1);
  expect(Math.abs((surround?.truePeakDb ?? 0) + 26.01)).toBeLessThanOrEqual(0.4);
});
