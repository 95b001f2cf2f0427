import { AudioSampleSink, type InputAudioTrack } from 'mediabunny';
import { type Stereo, stereoOf } from '../stereo.ts';
import { Resampler } from './resampler.ts';

/** The sample rate of encoded film sound, in hertz. */
export const FILM_SAMPLE_RATE = 48_000;

/** Yields a second at a time, since a file may claim any gap. */
export function* silence(samples: number): Generator<Stereo> {
  for (let left = samples; left > 0; left -= FILM_SAMPLE_RATE) {
    const length = Math.min(left, FILM_SAMPLE_RATE);
    yield [new Float32Array(length), new Float32Array(length)];
  }
}

/** The track from second `zero` on, at the film's rate: every sample at its time, silence in gaps. */
export async function* decoded(track: InputAudioTrack, zero: number): AsyncGenerator<Stereo> {
  const rate = await track.getSampleRate();
  const codec = await track.getCodec();
  const resamplers = [new Resampler(rate, FILM_SAMPLE_RATE), new Resampler(rate, FILM_SAMPLE_RATE)] as const;
  const through = ([left, right]: Stereo): Stereo =>
    rate === FILM_SAMPLE_RATE ? [left, right] : [resamplers[0].push(left), resamplers[1].push(right)];
  let at = 0;
  for await (const sample of new AudioSampleSink(track).samples(zero)) {
    const start = Math.round((sample.timestamp - zero) * rate);
    const block = stereoOf(sample, codec);
    sample.close();
    for (const gap of silence(start - at)) yield through(gap);
    const skipped = Math.min(block[0].length, Math.max(0, at - start));
    yield through([block[0].subarray(skipped), block[1].subarray(skipped)]);
    at = Math.max(at, start + block[0].length);
  }
  // Flushes the filters.
  for (const gap of silence(Math.ceil(rate / 100))) yield through(gap);
}
