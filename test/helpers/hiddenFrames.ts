import {
  ALL_FORMATS,
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { MEDIA } from '../chaos/serviceAnswers.ts';

const VERIFIED = { verifyKeyPackets: true };

/** In frames; `pause`: an empty edit before the shown frames. */
interface Edit {
  before: number;
  after?: number;
  pause?: number;
}

interface Source {
  bytes?: Uint8Array;
  frames?: number;
  fps?: number;
  /** Seconds of a tone of -20 dBFS, from the start of the movie on. */
  sound?: number;
}

/**
 * An MP4's pictures as left by a cut without encoding: its edit list hides the first frames, which others depend on, and the last ones, and
 * may start late.
 */
export async function withHiddenFrames(
  { before, after = 0, pause = 0 }: Edit,
  { bytes, frames = 36, fps = 30, sound = 0 }: Source = {},
): Promise<Buffer> {
  const source = new BufferSource((bytes ?? MEDIA.video.bytes) as Uint8Array<ArrayBuffer>);
  const input = new Input({ source, formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !decoderConfig) throw new Error('the clip has no picture');
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, VERIFIED)) packets.push(packet);
  const all = bytes ? packets : Array.from({ length: frames }, () => packets[0] as EncodedPacket);
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { frameRate: fps });
  const tone = new AudioSampleSource({ codec: 'pcm-s16' });
  if (sound > 0) output.addAudioTrack(tone);
  await output.start();
  const first = pause > 0 ? pause : -before;
  for (const [index, { data, type }] of all.entries())
    await video.add(new EncodedPacket(data, type, (index + first) / fps, 1 / fps), { decoderConfig });
  if (sound > 0) await tone.add(toneOf(sound));
  await output.finalize();
  const made = Buffer.from(output.target.buffer ?? new ArrayBuffer(0));
  if (pause > 0 || after > 0) {
    const start = pause > 0 ? before / fps : undefined;
    editLast(made, { start, seconds: (all.length - before - after) / fps });
  }
  return made;
}

function toneOf(seconds: number): AudioSample {
  const [sampleRate, most] = [48_000, 0x7fff / 10];
  const data = Int16Array.from({ length: seconds * sampleRate }, (_, at) =>
    Math.round(most * Math.sin((2 * Math.PI * 997 * at) / sampleRate)),
  );
  return new AudioSample({ data, format: 's16', numberOfChannels: 1, sampleRate, timestamp: 0 });
}

/** Makes the last edit show so many seconds, in the timescales of `mvhd` (movie) and `mdhd` (track). */
function editLast(bytes: Buffer, { start, seconds }: { start: number | undefined; seconds: number }): void {
  const timescaleOf = (box: string): number => bytes.readUInt32BE(bytes.indexOf(box) + 4 + 12);
  const list = bytes.indexOf('elst');
  if (list < 0) throw new Error('an edit is expected');
  const last = list + 12 * bytes.readUInt32BE(list + 8);
  bytes.writeUInt32BE(Math.round(seconds * timescaleOf('mvhd')), last);
  if (start !== undefined) bytes.writeUInt32BE(Math.round(start * timescaleOf('mdhd')), last + 4);
}

/** A clip whose edit list plays its beginning twice. */
export async function withPieces(): Promise<Buffer> {
  const made = await withHiddenFrames({ before: 0, pause: 12 });
  made.writeUInt32BE(0, made.indexOf('elst') + 16);
  return made;
}
