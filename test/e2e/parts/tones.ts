import { createCanvas } from '@napi-rs/canvas';
import { ClipEncoder, FPS } from '../../../src/main/sandbox/render/encode.ts';
import { WAVE_RATE as RATE, waveFile } from '../../helpers/waveFile.ts';

/** Sources of known level: a sine of 997 Hz on both sides, for which dBFS of its peak equals LUFS (EBU Tech 3341). */

/** A sine of `db` dBFS; `bursts` has 20 ms of every second at that level instead. */
function sine(seconds: number, db: number, bursts?: number): Float32Array {
  const [usual, high] = [10 ** (db / 20), 10 ** ((bursts ?? db) / 20)];
  return Float32Array.from({ length: Math.round(seconds * RATE) }, (_, at) => {
    const gain = at % RATE > RATE / 2 && at % RATE < RATE / 2 + RATE / 50 ? high : usual;
    return gain * Math.sin((2 * Math.PI * 997 * at) / RATE);
  });
}

export interface Tone {
  seconds?: number;
  db: number;
  /** Seconds of silence before the tone. */
  from?: number;
  bursts?: number;
}

/** A clip of 320 × 180 at 24 frames a second with a tone. */
export async function toneClip({ seconds = 2, db, bursts }: Tone): Promise<Uint8Array> {
  const encoder = await ClipEncoder.open(320, 180);
  const canvas = createCanvas(320, 180);
  const pen = canvas.getContext('2d');
  for (let frame = 0; frame < seconds * FPS; frame += 1) {
    pen.fillStyle = `hsl(${frame * 5} 40% 40%)`;
    pen.fillRect(0, 0, 320, 180);
    encoder.add(canvas);
  }
  const side = sine(seconds, db, bursts);
  const samples = new Float32Array(side.length * 2);
  samples.set(side);
  samples.set(side, side.length);
  return encoder.finish({ sampleRate: RATE, samples });
}

/** A track as a WAV file of 16 bits in stereo. */
export function toneTrack({ seconds = 2, db, from = 0 }: Tone): Buffer {
  const side = sine(seconds, db).fill(0, 0, from * RATE);
  return waveFile([side, side]);
}

/** A WAV file with two-second tones, one level in dBFS per channel; undefined is silent. */
export const toneChannels = (levels: readonly (number | undefined)[]): Buffer =>
  waveFile(levels.map((db) => (db === undefined ? new Float32Array(2 * RATE) : sine(2, db))));
