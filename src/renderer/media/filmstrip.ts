import { ALL_FORMATS, CanvasSink, Input, UrlSource } from 'mediabunny';
import { revokeLater } from './revokeLater.ts';

/** Frames of clips for film strips, kept by clip and count while the window lives. */
const strips = new Map<string, Promise<string[]>>();
const KEPT = 200;

/**
 * `count` frames of a clip, evenly over its length, as small pictures (object URLs), in order. Rejects where it cannot be decoded;
 * the caller shows the first and the last picture instead.
 */
export function framesOf(url: string, count: number, height: number): Promise<string[]> {
  const key = `${url} ${count} ${height}`;
  const known = strips.get(key);
  if (known) return known;
  const frames = readFrames(url, count, height);
  strips.set(key, frames);
  for (const [oldest, urls] of strips) {
    if (strips.size <= KEPT) break;
    strips.delete(oldest);
    void urls.then(revokeAll, () => undefined);
  }
  return frames;
}

const revokeAll = (urls: readonly string[]): void => {
  for (const url of urls) revokeLater(url);
};

async function readFrames(url: string, count: number, height: number): Promise<string[]> {
  const input = new Input({ source: new UrlSource(new URL(url, location.href)), formats: ALL_FORMATS });
  try {
    return await framesIn(input, count, height);
  } finally {
    input.dispose();
  }
}

async function framesIn(input: Input, count: number, height: number): Promise<string[]> {
  const track = await input.getPrimaryVideoTrack();
  if (!track || !(await track.canDecode())) throw new Error('The clip cannot be decoded here.');
  const start = await track.getFirstTimestamp();
  const length = (await track.computeDuration()) - start;
  const times = Array.from({ length: count }, (_, index) => start + ((index + 0.5) / count) * length);
  const frames: string[] = [];
  const sink = new CanvasSink(track, { height, poolSize: 1 });
  for await (const frame of sink.canvasesAtTimestamps(times, { verifyKeyPackets: true })) {
    if (frame) frames.push(await pictureUrl(frame.canvas));
  }
  return frames;
}

async function pictureUrl(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<string> {
  if (canvas instanceof OffscreenCanvas) return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp' }));
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp'));
  return blob ? URL.createObjectURL(blob) : '';
}
