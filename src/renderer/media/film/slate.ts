import { linesOf } from './wordLines.ts';
import { FONT } from './wordsPen.ts';

/** Of the shorter side of the picture: the number, the words and a line of them, as playback shows them. */
const NUMBER = 0.1;
const WORDS = 0.04;
const LINE = 0.057;
/** Of the width: the widest line. */
const WIDEST = 0.8;
const COLOURS = { ground: '#16181b', number: '#fff', words: '#c9cdd2' };

/** Draws what stands for a shot without clip and picture: its number, and under it its title. */
export function drawSlate(
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
