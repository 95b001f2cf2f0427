import type { AudioSample } from 'mediabunny';
import { EDGE_S, type SoundMeasures, WAVE_STEP_S } from '../../../shared/film/measures.ts';
import { type ChannelLayout, layoutOf } from '../../../shared/film/sound/layout.ts';
import { channelsOf, folded, type Stereo } from '../stereo.ts';
import { LoudnessMeter } from './loudness.ts';
import { SoundFaults } from './soundFaults.ts';

const WAVE_POINTS = 600;
const EDGE_POINTS = EDGE_S / WAVE_STEP_S;

/** Measures level and waveform of a sound from a stream of samples. */
export class SoundMeter {
  private readonly loudness: LoudnessMeter;
  private readonly pointLength: number;
  private readonly wave: number[] = [];
  private peak = 0;
  private filled = 0;

  constructor(sampleRate: number) {
    this.loudness = new LoudnessMeter(sampleRate);
    this.pointLength = Math.max(1, Math.round(sampleRate * WAVE_STEP_S));
  }

  add(sides: Stereo): void {
    this.loudness.add(sides);
    for (let index = 0; index < sides[0].length; index++) {
      for (const samples of sides) this.peak = Math.max(this.peak, Math.abs(samples[index] ?? 0));
      this.filled += 1;
      if (this.filled === this.pointLength) this.endPoint();
    }
  }

  private endPoint(): void {
    this.wave.push(Math.min(255, Math.round(this.peak * 255)));
    this.peak = 0;
    this.filled = 0;
  }

  measures(): Omit<SoundMeasures, 'silent' | 'clipped'> {
    if (this.filled > 0) this.endPoint();
    return {
      lufs: rounded(this.loudness.integrated()),
      truePeakDb: rounded(this.loudness.truePeakDb()),
      momentary: this.loudness.momentary().map(rounded),
      wave: coarser(this.wave, WAVE_POINTS),
      waveStart: this.wave.slice(0, EDGE_POINTS),
      waveEnd: this.wave.slice(-EDGE_POINTS),
    };
  }
}

const rounded = (level: number | null): number | null => (level === null ? null : Math.round(level * 100) / 100);

/** The peaks of `points` equal parts. */
function coarser(wave: readonly number[], points: number): number[] {
  if (wave.length <= points) return [...wave];
  return Array.from({ length: points }, (_, index) => {
    const from = Math.floor((index * wave.length) / points);
    const to = Math.floor(((index + 1) * wave.length) / points);
    return Math.max(...wave.slice(from, to));
  });
}

/**
 * Measures a track's samples in order as stereo, and finds faults in any channel; undefined without samples. `seconds`: the length of the
 * file, which may exceed its sound.
 */
export async function measureSound(
  samples: AsyncIterable<AudioSample>,
  { codec, seconds }: { codec: string | null; seconds: number },
): Promise<SoundMeasures | undefined> {
  let meter: SoundMeter | undefined;
  let faults: SoundFaults | undefined;
  let layout: ChannelLayout | undefined;
  for await (const sample of samples) {
    try {
      const channels = channelsOf(sample);
      meter ??= new SoundMeter(sample.sampleRate);
      layout ??= layoutOf(channels.length, codec);
      meter.add(folded(channels, layout));
      faults ??= new SoundFaults(sample.sampleRate);
      faults.add(channels);
    } finally {
      sample.close();
    }
  }
  return meter && faults && { ...(layout ? { layout } : {}), ...meter.measures(), ...faults.found(seconds) };
}
