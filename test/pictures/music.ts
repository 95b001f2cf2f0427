import { WAVE_RATE as RATE, waveFile } from '../helpers/waveFile.ts';

/** Hertz of the chords, one every four seconds. */
const CHORDS = [
  [110, 220, 261.6, 329.6],
  [87.3, 174.6, 220, 349.2],
  [98, 196, 246.9, 293.7],
  [82.4, 164.8, 246.9, 329.6],
];

/** A slow accompaniment as a WAV file: chords that fade. */
export function music(seconds: number): Buffer {
  const side = Float32Array.from({ length: seconds * RATE }, (_, index) => {
    const time = index / RATE;
    const chord = CHORDS[Math.floor(time / 4) % CHORDS.length] ?? [];
    return chord.reduce((sum, hertz, voice) => sum + voiceAt(hertz, time, (time % 4) - voice / 2), 0) / 6;
  });
  return waveFile([side, side]);
}

function voiceAt(hertz: number, time: number, since: number): number {
  if (since < 0) return 0;
  const loudness = Math.min(1, since * 40) * Math.exp(-since * 1.1);
  return loudness * (Math.sin(2 * Math.PI * hertz * time) + 0.3 * Math.sin(4 * Math.PI * hertz * time));
}
