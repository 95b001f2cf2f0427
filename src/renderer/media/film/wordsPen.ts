import type { MoviePlan } from '../../../shared/film/filmExport.ts';
import type { Cue } from '../../../shared/film/subtitles/filmSubtitles.ts';
import { linesOf } from './wordLines.ts';

/** The margin on each side: everything inside is visible on any screen (EBU R 95, graphics safe area). */
const SAFE = 0.05;
/**
 * Line height as a share of the shorter side, and widest line as a share of the width. BBC Subtitle Guidelines
 * (https://www.bbc.co.uk/accessibility/forproducts/guides/subtitles): letters fit into 7 to 8 % of the height at 16:9, 4:3 and 1:1 and into
 * 3.9 to 4.5 % of it at 9:16, which is 8 % of the width (9.2.1); a line has at most 68 % of the width at 16:9 (3.1).
 */
const LANDSCAPE = { line: 0.08, width: 0.68 };
/** An upright film is narrow, so its subtitles use the whole safe width. */
const UPRIGHT = { line: 0.08, width: 1 - 2 * SAFE };
/** Letter size as a share of the line height. */
const LETTERS = 0.7;
const PADDING = 0.3;
/** A text too long for the safe area is made smaller, down to this share. */
const SMALLEST = 0.3;
const BOX = 'rgb(0 0 0 / 75%)';
export const FONT = ['Inter', "'Noto Sans'", "'Helvetica Neue'", 'Arial', 'sans-serif'].join(', ');

/** Draws subtitles over a film's pictures, always as plain text. */
export class WordsPen {
  private readonly cues: readonly Cue[];
  private readonly canvas: OffscreenCanvas | undefined;

  constructor({ words, width, height }: Pick<MoviePlan, 'words' | 'width' | 'height'>) {
    this.cues = words;
    this.canvas = words.length > 0 ? new OffscreenCanvas(width, height) : undefined;
  }

  /** The picture with the subtitle at a time; the picture itself if there is none. */
  over(picture: OffscreenCanvasRenderingContext2D, second: number): OffscreenCanvasRenderingContext2D {
    const ms = second * 1_000;
    const texts = this.cues.filter(({ startMs, endMs }) => ms >= startMs && ms < endMs).map(({ text }) => text);
    const how = { alpha: false, willReadFrequently: true };
    const context = texts.length > 0 ? this.canvas?.getContext('2d', how) : undefined;
    if (!context) return picture;
    context.drawImage(picture.canvas, 0, 0);
    draw(context, texts.join('\n'));
    return context;
  }
}

function draw(context: OffscreenCanvasRenderingContext2D, text: string): void {
  const { width, height } = context.canvas;
  const isUpright = height > width;
  const shape = isUpright ? UPRIGHT : LANDSCAPE;
  const room = height * (1 - 2 * SAFE);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let size = Math.min(width, height) * shape.line;
  let lines = fitted(context, text, size, width * shape.width);
  for (let share = 0.9; lines.length * size > room && share >= SMALLEST; share -= 0.1) {
    size = Math.min(width, height) * shape.line * share;
    lines = fitted(context, text, size, width * shape.width);
  }
  const bottom = height * (1 - SAFE);
  for (const [index, line] of lines.entries()) {
    const middle = bottom - (lines.length - index - 0.5) * size;
    const across = context.measureText(line).width + 2 * PADDING * size;
    context.fillStyle = BOX;
    context.fillRect((width - across) / 2, middle - size / 2, across, size);
    context.fillStyle = 'white';
    context.fillText(line, width / 2, middle);
  }
}

/** Sets the font size for a line, and breaks the text. */
function fitted(context: OffscreenCanvasRenderingContext2D, text: string, size: number, widest: number): string[] {
  context.font = `500 ${(size * LETTERS).toFixed(1)}px ${FONT}`;
  return linesOf(text, (line) => context.measureText(line).width + 2 * PADDING * size <= widest);
}
