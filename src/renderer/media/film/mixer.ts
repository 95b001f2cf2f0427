import { codecIn, codecWord } from '../../../shared/film/codecNames.ts';
import type { FilmPlan, MoviePlan } from '../../../shared/film/filmExport.ts';
import type { GainKey, MixSource } from '../../../shared/film/sound/mixPlan.ts';
import type { Stereo } from '../stereo.ts';
import { openClip, openSound } from './clipStreams.ts';
import { decoded, FILM_SAMPLE_RATE, silence } from './decodedSound.ts';
import type { FilmDesk } from './filmDesk.ts';

/** A sound from the start of the film; layers are added. It ends when it has no more. */
type SoundLayer = AsyncIterator<Stereo>;

/** Adds layers of sound, in blocks of any length, until all have ended. */
export class Mixer {
  private readonly layers: { source: SoundLayer; left: Stereo | null; isOver: boolean }[];

  constructor(layers: readonly SoundLayer[]) {
    this.layers = layers.map((source) => ({ source, left: null, isOver: false }));
  }

  /** The next `frames` samples, with silence where no layer has any. The sum may exceed full scale. */
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
    return sum;
  }

  async close(): Promise<void> {
    for (const { source } of this.layers) await source.return?.();
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

/** The number of samples before a frame of the film. */
export const samplesBefore = (frame: number, { num, den }: FilmPlan['fps']): number =>
  Math.round((frame * den * FILM_SAMPLE_RATE) / num);

/** The sound of a film according to its mix: the shots in sequence, and the music track under them. */
export function mixerOf(plan: MoviePlan, desk: FilmDesk): Mixer {
  const tracks = plan.mix.sources.filter(({ from }) => from === 'track');
  return new Mixer([shotLayer(plan, desk), ...tracks.map((source) => trackLayer(source, desk))]);
}

/** Each shot's sound at the exact length of its shot; silence if it is not heard. */
async function* shotLayer(plan: MoviePlan, desk: FilmDesk): AsyncGenerator<Stereo> {
  const sources = new Map(plan.mix.sources.map((source) => [source.shotId, source]));
  let frame = 0;
  for (const { shotId, frames } of plan.segments) {
    const from = samplesBefore(frame, plan.fps);
    const length = samplesBefore(frame + frames, plan.fps) - from;
    const source = sources.get(shotId);
    yield* source ? levelled(exactly(length, clipSound(source, desk)), source.keys, from) : silence(length);
    frame += frames;
  }
}

async function* trackLayer(source: MixSource, desk: FilmDesk): AsyncGenerator<Stereo> {
  const from = Math.round(source.start * FILM_SAMPLE_RATE);
  const length = Math.round(source.end * FILM_SAMPLE_RATE) - from;
  yield* silence(from);
  yield* levelled(exactly(length, trackSound(source, desk)), source.keys, from);
}

/** Cuts or pads with silence to the exact length. */
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

/** Applies a gain curve; the first sample is `from` samples into the film. */
async function* levelled(
  source: AsyncGenerator<Stereo>,
  keys: readonly GainKey[],
  from: number,
): AsyncGenerator<Stereo> {
  const line = new GainLine(keys);
  let at = from;
  for await (const [left, right] of source) {
    const gains = line.read(at, left.length);
    yield [
      left.map((value, index) => value * (gains[index] ?? 0)),
      right.map((value, index) => value * (gains[index] ?? 0)),
    ];
    at += left.length;
  }
}

/** A gain curve sample by sample; read in order of time. */
export class GainLine {
  private readonly keys: readonly { at: number; gain: number }[];
  private next = 0;

  constructor(keys: readonly GainKey[]) {
    this.keys = keys.map(({ at, gain }) => ({ at: at * FILM_SAMPLE_RATE, gain }));
  }

  /** Reads `count` gains from a sample of the film on. */
  read(from: number, count: number): Float32Array {
    const gains = new Float32Array(count);
    for (let index = 0; index < count; index += 1) gains[index] = this.at(from + index);
    return gains;
  }

  private at(sample: number): number {
    while ((this.keys[this.next]?.at ?? Number.POSITIVE_INFINITY) <= sample) this.next += 1;
    const [before, after] = [this.keys[this.next - 1], this.keys[this.next]];
    if (!before || !after) return (before ?? after)?.gain ?? 1;
    return before.gain + ((after.gain - before.gain) * (sample - before.at)) / (after.at - before.at);
  }
}

async function* clipSound({ assetId, fileStart }: MixSource, desk: FilmDesk): AsyncGenerator<Stereo> {
  const clip = await openClip(await desk.bytes(assetId));
  try {
    if (!clip.audio) return;
    if (!(await clip.audio.canDecode()))
      throw new Error(`Dailies cannot decode ${codecWord(await codecIn(clip.audio))} sound.`);
    yield* decoded(clip.audio, clip.shown.start + fileStart);
  } finally {
    clip.close();
  }
}

async function* trackSound({ assetId, fileStart }: MixSource, desk: FilmDesk): AsyncGenerator<Stereo> {
  const sound = await openSound(await desk.bytes(assetId));
  try {
    if (!(await sound.audio.canDecode()))
      throw new Error(`The track is coded as ${codecWord(await codecIn(sound.audio))}, which cannot be decoded here.`);
    yield* decoded(sound.audio, fileStart);
  } finally {
    sound.close();
  }
}
