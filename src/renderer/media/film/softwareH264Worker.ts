import './noEval.ts';
import { HME } from 'h264-mp4-encoder/embuild/dist/h264-mp4-encoder.web.js';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import type { SoftwarePackets, SoftwareRun } from './softwareRun.ts';

/** 10 to 51; smaller is better and larger. Visually lossless. */
const QUANTIZER = 24;
const SPEED = 10;

// Errors during the encoder's setup reach no caller.
self.addEventListener('unhandledrejection', ({ reason }) => self.postMessage({ error: String(reason) }));

self.onmessage = async ({ data }: MessageEvent<SoftwareRun>) => {
  try {
    const made = await encodeRun(data);
    self.postMessage(made, { transfer: made.packets.map(({ data: { buffer } }) => buffer) });
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};

async function encodeRun({ width, height, fps, frames }: SoftwareRun): Promise<SoftwarePackets> {
  const encoder = await HME.createH264MP4Encoder();
  Object.assign(encoder, {
    width,
    height,
    frameRate: fps,
    speed: SPEED,
    quantizationParameter: QUANTIZER,
    groupOfPictures: fps,
  });
  encoder.initialize();
  for (const pixels of frames) encoder.addFrameYuv(new Uint8Array(pixels));
  encoder.finalize();
  const file = encoder.FS.readFile(encoder.outputFilename) as Uint8Array<ArrayBuffer>;
  encoder.FS.unlink(encoder.outputFilename);
  encoder.delete();
  return packetsOf(file);
}

async function packetsOf(file: Uint8Array<ArrayBuffer>): Promise<SoftwarePackets> {
  const input = new Input({ source: new BufferSource(file), formats: [MP4] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    if (!track || !config?.description) throw new Error('The software encoder gave no video.');
    const packets: SoftwarePackets['packets'] = [];
    for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { verifyKeyPackets: true })) {
      packets.push({ data: packet.data.slice() as Uint8Array<ArrayBuffer>, isKey: packet.type === 'key' });
    }
    const { description } = config;
    const bytes = ArrayBuffer.isView(description)
      ? new Uint8Array(description.buffer as ArrayBuffer, description.byteOffset, description.byteLength)
      : new Uint8Array(description as ArrayBuffer);
    return { packets, codec: config.codec, description: bytes.slice() };
  } finally {
    input.dispose();
  }
}
