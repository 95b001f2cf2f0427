import { VideoSample, VideoSampleSink } from 'mediabunny';
import inter from '../../../../resources/fonts/inter-latin-opsz.woff2?url';
import { codecIn, codecWord } from '../../../shared/film/codecNames.ts';
import type { FilmSegment, MoviePlan } from '../../../shared/film/filmExport.ts';
import type { ShownPart } from '../shownPart.ts';
import { openClip } from './clipStreams.ts';
import type { FilmDesk } from './filmDesk.ts';
import { FILM_COLORS, toLimitedRange } from './limitedRange.ts';
import { linesOf } from './wordLines.ts';
import { FONT, WordsPen } from './wordsPen.ts';

/**
 * The pictures of a film, one per frame: clips at the film's rate, fitted into its size on black; stills for their length; slates for
 * missing pictures; and burnt-in subtitles.
 */
export class Compositor {
  private readonly plan: MoviePlan;
  private readonly desk: FilmDesk;
  private readonly canvas: OffscreenCanvas;
  private readonly context: OffscreenCanvasRenderingContext2D;
  private readonly words: WordsPen;

  constructor(plan: MoviePlan, desk: FilmDesk) {
    this.plan = plan;
    this.desk = desk;
    this.canvas = new OffscreenCanvas(plan.width, plan.height);
    const context = this.canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    if (!context) throw new Error('This browser cannot draw pictures.');
    context.imageSmoothingQuality = 'high';
    this.context = context;
    this.words = new WordsPen(plan);
  }

  /** All frames in order; the caller closes each. */
  async *frames(): AsyncGenerator<VideoSample> {
    await loadLetters();
    let from = 0;
    for (const segment of this.plan.segments) {
      yield* this.framesOf(segment, from);
      from += segment.frames;
    }
  }

  private framesOf(segment: FilmSegment, from: number): AsyncGenerator<VideoSample> {
    if (segment.kind === 'clip' && segment.assetId !== undefined) return this.clip(segment.assetId, segment, from);
    return this.still(segment, from);
  }

  private async *clip(assetId: string, segment: FilmSegment, from: number): AsyncGenerator<VideoSample> {
    const { frames, number } = segment;
    const clip = await openClip(await this.desk.bytes(assetId));
    try {
      if (!(await clip.video.canDecode())) {
        throw new Error(
          `Shot ${number} is coded as ${codecWord(await codecIn(clip.video))}, which cannot be decoded here.`,
        );
      }
      const sink = new VideoSampleSink(clip.video);
      let shown = 0;
      for await (const sample of sink.samplesAtTimestamps(this.middles(clip.shown, segment), {
        verifyKeyPackets: true,
      })) {
        if (sample) this.fit(sample.displayWidth, sample.displayHeight, (...box) => sample.draw(this.context, ...box));
        sample?.close();
        yield this.frame(from + shown);
        shown += 1;
      }
      for (; shown < frames; shown += 1) yield this.frame(from + shown);
    } finally {
      clip.close();
    }
  }

  /** The middle time of each film frame, so that rounding never decides between two frames of a clip. */
  private *middles({ start, from }: ShownPart, segment: FilmSegment): Generator<number> {
    const { num, den } = this.plan.fps;
    const zero = start + (segment.from ?? 0);
    for (let frame = 0; frame < segment.frames; frame += 1) yield Math.max(from, zero + ((frame + 0.5) * den) / num);
  }

  private async *still(segment: FilmSegment, from: number): AsyncGenerator<VideoSample> {
    const bitmap = await this.pictureOf(segment);
    if (bitmap) this.fit(bitmap.width, bitmap.height, (...box) => this.context.drawImage(bitmap, ...box));
    else drawSlate(this.context, segment);
    bitmap?.close();
    for (let shown = 0; shown < segment.frames; shown += 1) yield this.frame(from + shown);
  }

  /** An unreadable picture becomes a slate, as in playback. */
  private async pictureOf({ kind, assetId }: FilmSegment): Promise<ImageBitmap | undefined> {
    if (kind !== 'still' || assetId === undefined) return undefined;
    const bytes = await this.desk.bytes(assetId);
    return createImageBitmap(bytes).catch(() => undefined);
  }

  /** Draws into the largest box of that shape that fits the film, on black. */
  private fit(
    width: number,
    height: number,
    draw: (x: number, y: number, width: number, height: number) => void,
  ): void {
    const { canvas, context } = this;
    context.fillStyle = 'black';
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (width <= 0 || height <= 0) return;
    const scale = Math.min(canvas.width / width, canvas.height / height);
    const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
    draw(Math.round((canvas.width - across) / 2), Math.round((canvas.height - down) / 2), across, down);
  }

  private frame(index: number): VideoSample {
    const { fps, width, height } = this.plan;
    const { num, den } = fps;
    const picture = this.words.over(this.context, ((index + 0.5) * den) / num);
    const yuv = toLimitedRange(picture.getImageData(0, 0, width, height).data, { width, height });
    const time = { timestamp: (index * den) / num, duration: den / num };
    return new VideoSample(yuv, {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      colorSpace: FILM_COLORS,
      ...time,
    });
  }
}

const FAMILY = 'Inter';

/** Loads the fonts of the pages, so that subtitles and slates look as they were shown. Without them the film uses the system's fonts. */
async function loadLetters(): Promise<void> {
  if ([...document.fonts].some(({ family }) => family === FAMILY)) return;
  const face = new FontFace(FAMILY, `url("${inter}") format("woff2")`, { weight: '100 900' });
  await face.load().then(
    () => document.fonts.add(face),
    () => undefined,
  );
}

/** Shares of the shorter side: the number, the title and a line of it, as in playback. */
const NUMBER = 0.1;
const WORDS = 0.04;
const LINE = 0.057;
/** Share of the width: the widest line. */
const WIDEST = 0.8;
const COLOURS = { ground: '#16181b', number: '#fff', words: '#c9cdd2' };

/** Draws the slate of a shot without clip or picture: its number and title. */
function drawSlate(
  context: OffscreenCanvasRenderingContext2D,
  { number, title }: { number: number; title: string },
): void {
  const { width, height } = context.canvas;
  const size = Math.min(width, height);
  context.fillStyle = COLOURS.ground;
  context.fillRect(0, 0, width, height);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `420 ${(size * WORDS).toFixed(1)}px ${FONT}`;
  const lines = linesOf(title, (line) => context.measureText(line).width <= width * WIDEST);
  const top = (height - size * (NUMBER + lines.length * LINE)) / 2;
  context.fillStyle = COLOURS.words;
  for (const [index, line] of lines.entries()) {
    context.fillText(line, width / 2, top + size * (NUMBER + (index + 0.8) * LINE));
  }
  context.font = `600 ${(size * NUMBER).toFixed(1)}px ${FONT}`;
  context.fillStyle = COLOURS.number;
  context.fillText(String(number), width / 2, top + (size * NUMBER) / 2);
}
