import { CustomVideoEncoder, EncodedPacket, type VideoCodec, type VideoSample } from 'mediabunny';
import { FILM_COLORS } from './limitedRange.ts';
import SoftwareH264Worker from './softwareH264Worker.ts?worker&inline';
import { encodedBy } from './softwareRun.ts';

/** Frames per run: the encoder keeps its output in memory until a run ends. Each run starts with a key frame. */
const RUN = 48;

/**
 * H.264 for browsers without an encoder: minih264 as WebAssembly in a worker. Each run of frames is its own stream with equal parameter
 * sets, so that only one run is in memory.
 */
export class SoftwareH264 extends CustomVideoEncoder {
  private worker: Worker | undefined;
  private run: { timestamp: number; duration: number; pixels: ArrayBuffer }[] = [];

  static override supports(codec: VideoCodec): boolean {
    return codec === 'avc';
  }

  init(): void {
    this.worker = new SoftwareH264Worker();
  }

  async encode(sample: VideoSample): Promise<void> {
    const pixels = new ArrayBuffer(sample.allocationSize());
    await sample.copyTo(pixels);
    this.run.push({ timestamp: sample.timestamp, duration: sample.duration, pixels });
    if (this.run.length === RUN) await this.flush();
  }

  async flush(): Promise<void> {
    const run = this.run.splice(0);
    const first = run[0];
    if (!first) return;
    if (!this.worker) throw new Error('The software encoder was closed.');
    const { packets, description, codec } = await encodedBy(this.worker, {
      width: this.config.width,
      height: this.config.height,
      fps: Math.round(1 / first.duration),
      frames: run.map(({ pixels }) => pixels),
    });
    if (packets.length !== run.length) throw new Error('The software encoder lost frames.');
    const decoderConfig = { codec, codedWidth: this.config.width, codedHeight: this.config.height, description };
    for (const [index, { data, isKey }] of packets.entries()) {
      const { timestamp, duration } = run[index] ?? first;
      this.onPacket(new EncodedPacket(data, isKey ? 'key' : 'delta', timestamp, duration), {
        decoderConfig: { ...decoderConfig, colorSpace: FILM_COLORS },
      });
    }
  }

  close(): void {
    this.worker?.terminate();
    this.run = [];
  }
}
