import { createCanvas } from '@napi-rs/canvas';
import { ClipEncoder, FPS } from '../../../src/main/sandbox/render/encode.ts';

/** Sources whose level is known: a sine of 997 Hz on both sides, for which dBFS of its peak and LUFS are one figure (EBU Tech 3341). */

const RATE = 48_000;

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
  /** Silence before it, in seconds. */
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
  const file = Buffer.alloc(44 + side.length * 4);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  for (const [at, value] of [1, 2].entries()) file.writeUInt16LE(value, 20 + at * 2);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 4, 28);
  for (const [at, value] of [4, 16].entries()) file.writeUInt16LE(value, 32 + at * 2);
  file.write('data', 36);
  file.writeUInt32LE(side.length * 4, 40);
  for (const [at, value] of side.entries()) {
    for (const offset of [0, 2]) file.writeInt16LE(Math.round(value * 32_767), 44 + at * 4 + offset);
  }
  return file;
}
