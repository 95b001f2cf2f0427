import './noEval.ts';
import { HME } from 'h264-mp4-encoder/embuild/dist/h264-mp4-encoder.web.js';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import type { SoftwarePackets, SoftwareRun } from './softwareRun.ts';

/** Between 10 and 51; smaller is better and larger. What the eye does not tell from the picture. */
const QUANTIZER = 24;
const SPEED = 10;

// What goes wrong while the encoder is set up reaches no caller.
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
  const yuv = new Uint8Array((width * height * 3) / 2);
  for (const pixels of frames) {
    toYuv(new Uint8ClampedArray(pixels), width, height, yuv);
    encoder.addFrameYuv(yuv);
  }
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

/** 8-bit 4:2:0 in the limited range of BT.709, in which films of this size are read. */
function toYuv(rgba: Uint8ClampedArray, width: number, height: number, yuv: Uint8Array): void {
  const size = width * height;
  const half = width / 2;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let [red, green, blue] = [0, 0, 0];
      for (const at of [y * width + x, y * width + x + 1, (y + 1) * width + x, (y + 1) * width + x + 1]) {
        const [r, g, b] = [rgba[at * 4] ?? 0, rgba[at * 4 + 1] ?? 0, rgba[at * 4 + 2] ?? 0];
        yuv[at] = 16.5 + 0.18259 * r + 0.61423 * g + 0.06201 * b;
        red += r;
        green += g;
        blue += b;
      }
      const place = (y / 2) * half + x / 2;
      yuv[size + place] = 128.5 + (-0.10064 * red - 0.33857 * green + 0.43922 * blue) / 4;
      yuv[size + size / 4 + place] = 128.5 + (0.43922 * red - 0.39894 * green - 0.04027 * blue) / 4;
    }
  }
}
