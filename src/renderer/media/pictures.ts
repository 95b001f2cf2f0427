import { ALL_FORMATS, BlobSource, Input, type VideoSample, VideoSampleSink } from 'mediabunny';
import { codecIn, codecWord } from '../../shared/film/codecNames.ts';
import type { MediaTask } from '../../shared/library/asset.ts';
import { shownPartOf } from './shownPart.ts';

/** Cards and grids show thumbnails at most this wide, in pixels. */
const THUMBNAIL_WIDTH = 480;
const THUMBNAIL_QUALITY = 0.82;

/** Makes a media task's picture; throws one sentence if the file cannot be read. */
export async function makePicture(
  { kind, mime, outMs }: Pick<MediaTask, 'kind' | 'mime' | 'outMs'>,
  bytes: Blob,
): Promise<Blob> {
  const isVideo = mime.startsWith('video/') || bytes.type.startsWith('video/');
  if (kind === 'lastFrame') {
    if (!isVideo) throw new Error('Only a clip has a last frame.');
    return withFrame(bytes, outMs ?? 'last', (frame) => draw(frame, 1, 'image/png'));
  }
  return isVideo ? withFrame(bytes, 'first', small) : smallPicture(bytes);
}

async function smallPicture(bytes: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(bytes).catch(() => {
    throw new Error('The picture cannot be decoded.');
  });
  const scale = Math.min(1, THUMBNAIL_WIDTH / bitmap.width);
  const canvas = canvasOf(bitmap.width * scale, bitmap.height * scale);
  const context = contextOf(canvas);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return encode(canvas, 'image/webp');
}

const small = (frame: VideoSample): Promise<Blob> =>
  draw(frame, Math.min(1, THUMBNAIL_WIDTH / frame.displayWidth), 'image/webp');

/** Which frame of a clip; a number is the last frame before that many milliseconds. */
type Which = 'first' | 'last' | number;

/** Opens a clip and decodes exactly one frame; closes both again. */
async function withFrame(bytes: Blob, which: Which, use: (frame: VideoSample) => Promise<Blob>): Promise<Blob> {
  const input = new Input({ source: new BlobSource(bytes), formats: ALL_FORMATS });
  let frame: VideoSample | undefined;
  try {
    frame = await frameOf(input, which, bytes);
    return await use(frame);
  } finally {
    frame?.close();
    input.dispose();
  }
}

/** Verifies key frames: files of some encoders mark none or all, and a seek would land on another frame. */
async function frameOf(input: Input, which: Which, bytes: Blob): Promise<VideoSample> {
  const track = await input.getPrimaryVideoTrack().catch(() => {
    throw new Error('The clip is not in a format that can be read here.');
  });
  if (!track) throw new Error('The file has no pictures in it.');
  if (!(await track.canDecode())) {
    throw new Error(`Clips coded as ${codecWord(await codecIn(track))} cannot be decoded here.`);
  }
  const { start, from, last } = await shownPartOf(track, bytes);
  const sink = new VideoSampleSink(track);
  const frame =
    typeof which === 'number'
      ? await frameBefore(sink, Math.min(last, start + which / 1_000), from)
      : await sink.getSample(which === 'last' ? last : from, EXACT);
  if (!frame) throw new Error('The clip has no frame that can be decoded.');
  return frame;
}

/** The frame shown before a time: the one at that time counts if more than half of it is before. Never before the first frame. */
async function frameBefore(sink: VideoSampleSink, second: number, first: number): Promise<VideoSample | null> {
  const there = await sink.getSample(Math.max(first, second), EXACT);
  if (!there || there.timestamp <= first || there.timestamp + there.duration / 2 < second) return there;
  const { timestamp } = there;
  there.close();
  return sink.getSample(Math.max(first, timestamp - BEFORE), EXACT);
}

const EXACT = { verifyKeyPackets: true } as const;
/** In seconds: less than a frame at any rate, and more than rounding errors of times. */
const BEFORE = 0.002;

function draw(frame: VideoSample, scale: number, type: 'image/png' | 'image/webp'): Promise<Blob> {
  const canvas = canvasOf(frame.displayWidth * scale, frame.displayHeight * scale);
  frame.draw(contextOf(canvas), 0, 0, canvas.width, canvas.height);
  return encode(canvas, type);
}

const canvasOf = (width: number, height: number): OffscreenCanvas =>
  new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures.');
  context.imageSmoothingQuality = 'high';
  return context;
}

const encode = (canvas: OffscreenCanvas, type: 'image/png' | 'image/webp'): Promise<Blob> =>
  canvas.convertToBlob(type === 'image/webp' ? { type, quality: THUMBNAIL_QUALITY } : { type });
