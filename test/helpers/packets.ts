import { createHash } from 'node:crypto';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

export interface HashedPacket {
  sha256: string;
  /** Seconds. */
  time: number;
  isKey: boolean;
}

/** All video and audio packets of a film in file order, each with the hash of its bytes. */
export async function packetsOf(bytes: Uint8Array): Promise<{ video: HashedPacket[]; audio: HashedPacket[] }> {
  const input = new Input({ source: new BufferSource(bytes as Uint8Array<ArrayBuffer>), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const all = async (sink: EncodedPacketSink | null) => {
    const packets: HashedPacket[] = [];
    if (sink) {
      for await (const { data, timestamp, type } of sink.packets()) {
        const sha256 = createHash('sha256').update(data).digest('hex');
        packets.push({ sha256, time: timestamp, isKey: type === 'key' });
      }
    }
    return packets;
  };
  const found = {
    video: await all(video && new EncodedPacketSink(video)),
    audio: await all(audio && new EncodedPacketSink(audio)),
  };
  input.dispose();
  return found;
}
