import { ALL_FORMATS, BlobSource, CanvasSink, Input } from 'mediabunny';
import type { StripTask } from './frame.ts';
import { shownPartOf } from './shownPart.ts';

/** Frames of a clip, evenly spread over its length, as small pictures in order; throws if it cannot be decoded. */
export async function stripOf(task: StripTask, bytes: Blob): Promise<Blob[]> {
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  try {
    return await framesIn(input, bytes, task);
  } finally {
    input.dispose();
  }
}

async function framesIn(input: Input, bytes: Blob, { count, height, part }: StripTask): Promise<Blob[]> {
  const track = await input.getPrimaryVideoTrack();
  if (!track || !(await track.canDecode())) throw new Error('The clip cannot be decoded here.');
  const { start, from, edit } = await shownPartOf(track, bytes);
  const whole = Math.min(await track.computeDuration(), edit?.to ?? Number.POSITIVE_INFINITY) - start;
  const { from: first = 0, seconds: length } = part ?? { seconds: whole };
  const times = Array.from({ length: count }, (_, index) =>
    Math.max(from, start + first + ((index + 0.5) / count) * length),
  );
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
