import { ALL_FORMATS, BlobSource, CanvasSink, Input } from 'mediabunny';
import type { StripTask } from './frame.ts';

/** Frames of a clip, evenly over its length, as small pictures, in order; throws where it cannot be decoded. */
export async function stripOf({ count, height }: StripTask, bytes: Blob): Promise<Blob[]> {
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  try {
    return await framesIn(input, count, height);
  } finally {
    input.dispose();
  }
}

async function framesIn(input: Input, count: number, height: number): Promise<Blob[]> {
  const track = await input.getPrimaryVideoTrack();
  if (!track || !(await track.canDecode())) throw new Error('The clip cannot be decoded here.');
  const start = await track.getFirstTimestamp();
  const length = (await track.computeDuration()) - start;
  const times = Array.from({ length: count }, (_, index) => start + ((index + 0.5) / count) * length);
  const frames: Blob[] = [];
  const sink = new CanvasSink(track, { height, poolSize: 1 });
  for await (const frame of sink.canvasesAtTimestamps(times, { verifyKeyPackets: true })) {
    if (frame) frames.push(await pictureOf(frame.canvas));
  }
  return frames;
}

async function pictureOf(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<Blob> {
  if (canvas instanceof OffscreenCanvas) return canvas.convertToBlob({ type: 'image/webp' });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/webp'));
  if (!blob) throw new Error('This browser cannot draw pictures.');
  return blob;
}
