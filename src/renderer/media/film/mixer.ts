import { type AudioSample, AudioSampleSink, type InputAudioTrack } from 'mediabunny';
import type { FilmPlan, FilmSegment } from '../../../shared/filmExport.ts';
import { openClip } from './clipStreams.ts';
import type { FilmDesk } from './filmDesk.ts';
import { Resampler } from './resampler.ts';

/** Of every film that is encoded, in hertz. */
export const FILM_SAMPLE_RATE = 48_000;

/** Sound of the film's rate, left and right, equally long. */
export type Stereo = readonly [Float32Array, Float32Array];

/** Sound under the film from its start on; layers are added up. It ends when it has no more. */
export type SoundLayer = AsyncIterator<Stereo>;

/** Adds layers of sound up, in blocks of any length, until none has any left. */
export class Mixer {
  private readonly layers: { source: SoundLayer; left: Stereo | null; isOver: boolean }[];

  constructor(layers: readonly SoundLayer[]) {
    this.layers = layers.map((source) => ({ source, left: null, isOver: false }));
  }

  /** The next `frames` of the film's sound, with silence where no layer has any; within −1 … 1. */
  async read(frames: number): Promise<Stereo> {
    const sum: Stereo = [new Float32Array(frames), new Float32Array(frames)];
    for (const layer of this.layers) {
      for (let at = 0; at < frames && !layer.isOver; ) {
        const block = layer.left ?? (await this.next(layer));
        if (!block) break;
        const taken = Math.min(frames - at, block[0].length);
        addInto(sum, block, at, taken);
        layer.left = taken < block[0].length ? [block[0].subarray(taken), block[1].subarray(taken)] : null;
        at += taken;
      }
    }
    for (const channel of sum)
      for (const [at, value] of channel.entries()) channel[at] = Math.max(-1, Math.min(1, value));
    return sum;
  }

  private async next(layer: { source: SoundLayer; isOver: boolean }): Promise<Stereo | null> {
    const { done, value } = await layer.source.next();
    if (done) layer.isOver = true;
    return done ? null : value;
  }
}

function addInto(sum: Stereo, block: Stereo, at: number, count: number): void {
  for (const channel of [0, 1] as const) {
    for (let index = 0; index < count; index += 1) {
      sum[channel][at + index] = (sum[channel][at + index] ?? 0) + (block[channel][index] ?? 0);
    }
  }
}

/** How many samples lie before a frame of the film. */
export const samplesBefore = (frame: number, { num, den }: FilmPlan['fps']): number =>
  Math.round((frame * den * FILM_SAMPLE_RATE) / num);

/** The shots' own sound, each at its level and exactly as long as its shot; silence where a shot has none. */
export async function* shotSound(plan: FilmPlan, desk: FilmDesk): AsyncGenerator<Stereo> {
  let frame = 0;
  for (const segment of plan.segments) {
    const length = samplesBefore(frame + segment.frames, plan.fps) - samplesBefore(frame, plan.fps);
    yield* exactly(length, soundOf(segment, desk));
    frame += segment.frames;
  }
}

/** Cuts what is longer and fills what is shorter with silence. */
async function* exactly(length: number, source: AsyncGenerator<Stereo>): AsyncGenerator<Stereo> {
  let left = length;
  for await (const [one, other] of source) {
    const taken = Math.min(left, one.length);
    yield [one.subarray(0, taken), other.subarray(0, taken)];
    left -= taken;
    if (left === 0) return;
  }
  yield* silence(left);
}

/** A second at a time: a file may claim any gap. */
function* silence(samples: number): Generator<Stereo> {
  for (let left = samples; left > 0; left -= FILM_SAMPLE_RATE) {
    const length = Math.min(left, FILM_SAMPLE_RATE);
    yield [new Float32Array(length), new Float32Array(length)];
  }
}

async function* soundOf({ kind, assetId, hasAudio, gainDb }: FilmSegment, desk: FilmDesk): AsyncGenerator<Stereo> {
  if (kind !== 'clip' || !hasAudio || assetId === undefined) return;
  const clip = await openClip(await desk.bytes(assetId));
  try {
    if (!clip.audio) return;
    if (!(await clip.audio.canDecode()))
      throw new Error(`Sound coded as ${await clip.audio.getCodec()} cannot be decoded here.`);
    yield* decoded(clip.audio, await clip.video.getFirstTimestamp(), 10 ** (gainDb / 20));
  } finally {
    clip.close();
  }
}

/** The track from `zero` on, at the film's rate: each sample at its time, silence where the track has gaps. */
async function* decoded(track: InputAudioTrack, zero: number, gain: number): AsyncGenerator<Stereo> {
  const rate = await track.getSampleRate();
  const resamplers = [new Resampler(rate, FILM_SAMPLE_RATE), new Resampler(rate, FILM_SAMPLE_RATE)] as const;
  const through = ([left, right]: Stereo): Stereo =>
    rate === FILM_SAMPLE_RATE ? [left, right] : [resamplers[0].push(left), resamplers[1].push(right)];
  let at = 0;
  for await (const sample of new AudioSampleSink(track).samples(zero)) {
    const start = Math.round((sample.timestamp - zero) * rate);
    const block = stereoOf(sample, gain);
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
function stereoOf(sample: AudioSample, gain: number): Stereo {
  const planes = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
  const [first = new Float32Array(0), second = first] = planes;
  const others = planes.filter((_, index) => index > 1 && !(planes.length > 5 && index === DEEP_EFFECTS));
  return [scaled(first, others, gain), scaled(second, others, gain)];
}

function scaled(main: Float32Array, others: readonly Float32Array[], gain: number): Float32Array {
  return main.map((value, index) => {
    let sum = value;
    for (const other of others) sum += (other[index] ?? 0) * Math.SQRT1_2;
    return sum * gain;
  });
}
