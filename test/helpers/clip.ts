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

/** An MP4 of that length, 16 × 16 pixels; with `audio`, a silent audio track. */
export async function clipOf({ seconds, audio = false }: { seconds: number; audio?: boolean }): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(MEDIA.video.bytes), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  const first = track && (await new EncodedPacketSink(track).getFirstPacket());
  if (!config || !first) throw new Error('the clip of the chaos matrix has no picture');
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video);
  const sound = new AudioSampleSource({ codec: 'pcm-s16' });
  if (audio) output.addAudioTrack(sound);
  await output.start();
  await video.add(new EncodedPacket(first.data, 'key', 0, seconds), { decoderConfig: config });
  if (audio) {
    const sample = { data: new Int16Array(8_000 * seconds), format: 's16' as const, numberOfChannels: 1 };
    await sound.add(new AudioSample({ ...sample, sampleRate: 8_000, timestamp: 0 }));
  }
  await output.finalize();
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0));
}
