import { registerAacEncoder } from '@mediabunny/aac-encoder';
import type { Canvas } from '@napi-rs/canvas';
import HME from 'h264-mp4-encoder';
import {
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { toYuv } from './yuv.ts';

/** Frames a second (spec 2.3). */
export const FPS = 24;

/** Looks good at night and in rain; about 0.3 MB a second at 720 lines. */
const QUANTIZER = 23;

/** Stereo sound: left then right, each `frames` long, in [-1, 1]. */
export interface Sound {
  sampleRate: number;
  samples: Float32Array;
}

let isAacReady = false;

type H264Encoder = Awaited<ReturnType<typeof HME.createH264MP4Encoder>>;

/** Takes canvases one by one and returns an MP4. */
export class ClipEncoder {
  readonly #encoder: H264Encoder;
  readonly #yuv: Uint8Array;

  static async open(width: number, height: number, quantizer = QUANTIZER): Promise<ClipEncoder> {
    const encoder = await HME.createH264MP4Encoder();
    encoder.width = width;
    encoder.height = height;
    encoder.frameRate = FPS;
    encoder.speed = 10;
    encoder.quantizationParameter = quantizer;
    encoder.groupOfPictures = FPS;
    encoder.initialize();
    return new ClipEncoder(encoder, width, height);
  }

  private constructor(encoder: H264Encoder, width: number, height: number) {
    this.#encoder = encoder;
    this.#yuv = new Uint8Array((width * height * 3) / 2);
  }

  add(canvas: Canvas): void {
    toYuv(canvas.data(), canvas.width, canvas.height, this.#yuv);
    this.#encoder.addFrameYuv(this.#yuv);
  }

  async finish(sound: Sound | null): Promise<Uint8Array> {
    this.#encoder.finalize();
    const raw = this.#encoder.FS.readFile(this.#encoder.outputFilename) as Uint8Array<ArrayBuffer>;
    this.#encoder.delete();
    return withoutClock(await remux(raw, sound));
  }
}

/**
 * Writes the encoder's stream into a new file: the encoder writes no sync-sample table. The new one has key frames found in the bitstream,
 * the index at the front and, with sound, an AAC track.
 */
async function remux(raw: Uint8Array<ArrayBuffer>, sound: Sound | null): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(raw), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !config) throw new Error('The encoder gave no video.');
  const decoderConfig = {
    ...config,
    colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const,
  };
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { frameRate: FPS });
  const audio = sound ? audioSource() : null;
  if (audio) output.addAudioTrack(audio);
  await output.start();
  let frame = 0;
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { verifyKeyPackets: true })) {
    await video.add(packet.clone({ timestamp: frame / FPS, duration: 1 / FPS }), { decoderConfig });
    frame += 1;
  }
  if (audio && sound) await addSound(audio, sound);
  await output.finalize();
  if (!target.buffer) throw new Error('The muxer gave no file.');
  return new Uint8Array(target.buffer);
}

function audioSource(): AudioSampleSource {
  if (!isAacReady) registerAacEncoder();
  isAacReady = true;
  return new AudioSampleSource({ codec: 'aac', bitrate: 128_000 });
}

async function addSound(source: AudioSampleSource, { sampleRate, samples }: Sound): Promise<void> {
  const data = samples as Float32Array<ArrayBuffer>;
  const sample = new AudioSample({ format: 'f32-planar', sampleRate, numberOfChannels: 2, timestamp: 0, data });
  await source.add(sample);
  sample.close();
}

const CONTAINERS = new Set(['moov', 'trak', 'mdia']);
const CLOCKED = new Set(['mvhd', 'tkhd', 'mdhd']);

/** Removes the creation time, so that the same clip has the same bytes (spec 2.3, "repeatable"). For version 0 boxes with 32-bit times. */
function withoutClock(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const walk = (from: number, to: number) => {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
      if (CONTAINERS.has(name)) walk(at + 8, at + size);
      if (CLOCKED.has(name) && view.getUint8(at + 8) === 0) file.fill(0, at + 12, at + 20);
      if (size < 8) return;
      at += size;
    }
  };
  walk(0, file.length);
  return file;
}
