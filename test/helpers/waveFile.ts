export const WAVE_RATE = 48_000;

/** A WAV file of 16 bits, one array for each channel. */
export function waveFile(channels: readonly Float32Array[]): Buffer {
  const length = channels[0]?.length ?? 0;
  const frame = channels.length * 2;
  const file = Buffer.alloc(44 + length * frame);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  for (const [at, value] of [1, channels.length].entries()) file.writeUInt16LE(value, 20 + at * 2);
  file.writeUInt32LE(WAVE_RATE, 24);
  file.writeUInt32LE(WAVE_RATE * frame, 28);
  for (const [at, value] of [frame, 16].entries()) file.writeUInt16LE(value, 32 + at * 2);
  file.write('data', 36);
  file.writeUInt32LE(length * frame, 40);
  for (const [index, channel] of channels.entries()) {
    for (const [at, value] of channel.entries())
      file.writeInt16LE(Math.round(value * 32_767), 44 + at * frame + index * 2);
  }
  return file;
}
