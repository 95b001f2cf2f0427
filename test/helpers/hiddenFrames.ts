import {
  ALL_FORMATS,
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

/**
 * The pictures of an MP4 (or of a tiny one of as many frames as are wanted) as a cut without encoding leaves them: its edit list hides the
 * first frames, which the others are decoded from, and the last.
 */
export async function withHiddenFrames(
  { before, after = 0 }: { before: number; after?: number },
  { bytes, frames = 36, fps = 30 }: { bytes?: Uint8Array; frames?: number; fps?: number } = {},
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
  await output.start();
  for (const [index, { data, type }] of all.entries())
    await video.add(new EncodedPacket(data, type, (index - before) / fps, 1 / fps), { decoderConfig });
  await output.finalize();
  const made = Buffer.from(output.target.buffer ?? new ArrayBuffer(0));
  if (after > 0) endEarlier(made, (all.length - before - after) / fps);
  return made;
}

/** Has the one edit list end after so many seconds; its movie counts as `mvhd` says. */
function endEarlier(bytes: Buffer, seconds: number): void {
  const timescale = bytes.readUInt32BE(bytes.indexOf('mvhd') + 4 + 12);
  const list = bytes.indexOf('elst');
  if (list < 0 || bytes.readUInt32BE(list + 8) !== 1) throw new Error('one edit is expected');
  bytes.writeUInt32BE(Math.round(seconds * timescale), list + 12);
}
