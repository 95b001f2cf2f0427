import { type AudioSample, AudioSampleSink, type InputAudioTrack } from 'mediabunny';
import { Resampler } from './resampler.ts';

/** Of every film whose sound is encoded, in hertz. */
export const FILM_SAMPLE_RATE = 48_000;

/** Sound of the film's rate, left and right, equally long. */
export type Stereo = readonly [Float32Array, Float32Array];

/** A second at a time: a file may claim any gap. */
export function* silence(samples: number): Generator<Stereo> {
  for (let left = samples; left > 0; left -= FILM_SAMPLE_RATE) {
    const length = Math.min(left, FILM_SAMPLE_RATE);
    yield [new Float32Array(length), new Float32Array(length)];
  }
}

/** The track from its second `zero` on, at the film's rate: each sample at its time, silence where the track has gaps. */
export async function* decoded(track: InputAudioTrack, zero: number): AsyncGenerator<Stereo> {
  const rate = await track.getSampleRate();
  const resamplers = [new Resampler(rate, FILM_SAMPLE_RATE), new Resampler(rate, FILM_SAMPLE_RATE)] as const;
  const through = ([left, right]: Stereo): Stereo =>
    rate === FILM_SAMPLE_RATE ? [left, right] : [resamplers[0].push(left), resamplers[1].push(right)];
  let at = 0;
  for await (const sample of new AudioSampleSink(track).samples(zero)) {
    const start = Math.round((sample.timestamp - zero) * rate);
    const block = stereoOf(sample);
    sample.close();
    for (const gap of silence(start - at)) yield through(gap);
    const skipped = Math.min(block[0].length, Math.max(0, at - start));
    yield through([block[0].subarray(skipped), block[1].subarray(skipped)]);
    at = Math.max(at, start + block[0].length);
  }
  // What is still inside the filters.
  for (const gap of silence(Math.ceil(rate / 100))) yield through(gap);
}

/** The place of the deep effects in 5.1 and 7.1, which a mix for two leaves out. */
const DEEP_EFFECTS = 3;

/** One channel goes to both sides; of more than two, the centre and what surrounds go to both at −3 dB (ITU-R BS.775). */
function stereoOf(sample: AudioSample): Stereo {
  const planes = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
  const [first = new Float32Array(0), second = first] = planes;
  const others = planes.filter((_, index) => index > 1 && !(planes.length > 5 && index === DEEP_EFFECTS));
  return [downmixed(first, others), downmixed(second, others)];
}

function downmixed(main: Float32Array, others: readonly Float32Array[]): Float32Array {
  return main.map((value, index) => {
    let sum = value;
    for (const other of others) sum += (other[index] ?? 0) * Math.SQRT1_2;
    return sum;
  });
}
