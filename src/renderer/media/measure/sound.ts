import type { AudioSample } from 'mediabunny';
import { EDGE_S, type SoundMeasures, WAVE_STEP_S } from '../../../shared/measures.ts';
import { LoudnessMeter } from './loudness.ts';

const WAVE_POINTS = 600;
const EDGE_POINTS = EDGE_S / WAVE_STEP_S;

/** Level and wave of a sound, from its samples as they come. */
export class SoundMeter {
  private readonly loudness: LoudnessMeter;
  private readonly pointLength: number;
  private readonly wave: number[] = [];
  private peak = 0;
  private filled = 0;

  constructor(sampleRate: number, channels: number) {
    this.loudness = new LoudnessMeter(sampleRate, channels);
    this.pointLength = Math.max(1, Math.round(sampleRate * WAVE_STEP_S));
  }

  /** One array for each channel, all of one length, full scale is 1. */
  add(channels: readonly Float32Array[]): void {
    this.loudness.add(channels);
    const length = channels[0]?.length ?? 0;
    for (let index = 0; index < length; index++) {
      for (const samples of channels) this.peak = Math.max(this.peak, Math.abs(samples[index] ?? 0));
      this.filled += 1;
      if (this.filled === this.pointLength) this.endPoint();
    }
  }

  private endPoint(): void {
    this.wave.push(Math.min(255, Math.round(this.peak * 255)));
    this.peak = 0;
    this.filled = 0;
  }

  measures(): SoundMeasures {
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

/** Measures samples in order; undefined where there are none. */
export async function measureSound(samples: AsyncIterable<AudioSample>): Promise<SoundMeasures | undefined> {
  let meter: SoundMeter | undefined;
  for await (const sample of samples) {
    try {
      meter ??= new SoundMeter(sample.sampleRate, sample.numberOfChannels);
      meter.add(channelsOf(sample));
    } finally {
      sample.close();
    }
  }
  return meter?.measures();
}

function channelsOf(sample: AudioSample): Float32Array[] {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}
