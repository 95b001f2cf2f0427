import type { FilmMix, MoviePlan } from '../../../shared/film/filmExport.ts';
import { masterGain } from '../../../shared/film/sound/levelling.ts';
import { dbOfGain, gainOfDb, HIGHEST_PEAK_DB } from '../../../shared/film/sound/levels.ts';
import { t } from '../../../shared/text/texts.ts';
import { LoudnessMeter, TruePeak } from '../measure/loudness.ts';
import type { Stereo } from '../stereo.ts';
import { FILM_SAMPLE_RATE } from './decodedSound.ts';
import type { FilmDesk } from './filmDesk.ts';
import { type Mixer, mixerOf, samplesBefore } from './mixer.ts';
import { peakLine } from './peakLine.ts';

/** Length of a block whose peak is known, in samples: 5 ms. */
const BLOCK = 240;
/** Gain falls within 10 ms before a peak and recovers in half a second. */
const SLOPES = { down: 1 / 2, up: 1 / 100 };
/** The measurements of the whole mix. */
export interface MeasuredMix {
  /** Integrated loudness in LUFS; null for silence. */
  lufs: number | null;
  /** Highest true peak of each block, linear. */
  peaks: Float32Array;
}

/** The gains for the whole mix. */
export interface Master {
  gain: number;
  line: Float32Array;
  /** Sentences on what was done. */
  why: string[];
}

/** The encoded sound of a film: the mix at its loudness with peaks limited. It is read twice: to measure, then to encode. */
export class FilmSound {
  private readonly mixer: Mixer;
  private readonly master: Master;
  private at = 0;

  /** Null if nothing is audible. */
  static async open(plan: MoviePlan, desk: FilmDesk): Promise<FilmSound | null> {
    if (plan.mix.sources.length === 0) return null;
    const frames = plan.segments.reduce((sum, segment) => sum + segment.frames, 0);
    const measured = await measuredMix(mixerOf(plan, desk), samplesBefore(frames, plan.fps), desk);
    return new FilmSound(mixerOf(plan, desk), masterOf(plan.mix, measured));
  }

  private constructor(mixer: Mixer, master: Master) {
    this.mixer = mixer;
    this.master = master;
  }

  /** Sentences on what was done to the mix. */
  get why(): string[] {
    return this.master.why;
  }

  /** The next samples, within −1 … 1. */
  async read(count: number): Promise<Stereo> {
    const block = await this.mixer.read(count);
    const { gain, line } = this.master;
    for (let index = 0; index < count; index += 1) {
      const place = (this.at + index) / BLOCK;
      const node = Math.floor(place);
      const [low, high] = [line[node] ?? 1, line[node + 1] ?? 1];
      const factor = gain * (low + (high - low) * (place - node));
      for (const channel of block) channel[index] = Math.max(-1, Math.min(1, (channel[index] ?? 0) * factor));
    }
    this.at += count;
    return block;
  }

  close(): Promise<void> {
    return this.mixer.close();
  }
}

async function measuredMix(mixer: Mixer, samples: number, desk: FilmDesk): Promise<MeasuredMix> {
  const meter = new LoudnessMeter(FILM_SAMPLE_RATE);
  const sides = [new TruePeak(), new TruePeak()] as const;
  const peaks = new Float32Array(Math.ceil(samples / BLOCK));
  try {
    for (let at = 0; at < samples; at += FILM_SAMPLE_RATE) {
      const block = await mixer.read(Math.min(FILM_SAMPLE_RATE, samples - at));
      meter.add(block);
      for (let from = 0; from < block[0].length; from += BLOCK) {
        for (const [channel, side] of sides.entries())
          side.add((block[channel] ?? block[0]).subarray(from, from + BLOCK));
        peaks[(at + from) / BLOCK] = Math.max(...sides.map((side) => side.take()));
      }
      await desk.progress(0);
    }
  } finally {
    await mixer.close();
  }
  return { lufs: meter.integrated(), peaks };
}

/** The gains that bring the mix to its loudness and below the highest peak. */
export function masterOf(
  { target, headroom, notLevelled = [] }: Pick<FilmMix, 'target' | 'headroom' | 'notLevelled'>,
  { lufs, peaks }: MeasuredMix,
): Master {
  const gain = masterGain({ target, headroom }, lufs);
  const ceiling = gainOfDb(HIGHEST_PEAK_DB);
  const line = peakLine(
    peaks.map((peak) => peak * gain),
    ceiling,
    SLOPES,
  );
  const lowest = line.reduce((least, node) => Math.min(least, node), 1);
  return { gain, line, why: [...notLevelled, ...wordsOfGain(target, lufs, gain), ...wordsOfPeaks(lowest)] };
}

function wordsOfGain(target: number | undefined, lufs: number | null, gain: number): string[] {
  const db = dbOfGain(gain);
  const is = `${db < 0 ? '−' : '+'}${Math.abs(db).toFixed(1)} dB`;
  if (target === undefined) return gain < 1 ? [t`The mix is lowered to avoid clipping: ${is}.`] : [];
  if (lufs === null) return [t`The mix is silent. Its loudness was not changed.`];
  return [t`The sound is levelled to ${minus(lufs + db)} LUFS: ${is}.`];
}

const wordsOfPeaks = (lowest: number): string[] =>
  lowest > 0.995
    ? []
    : [
        t`Its loudest peaks are lowered by up to ${(-dbOfGain(lowest)).toFixed(1)} dB, to ${minus(HIGHEST_PEAK_DB)} dBTP.`,
      ];

const minus = (level: number): string => String(Math.round(level * 10) / 10).replace('-', '−');
