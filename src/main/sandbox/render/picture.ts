import { type Canvas, loadImage } from '@napi-rs/canvas';
import { randomOf } from '../random.ts';
import { asStored } from './asStored.ts';
import { layer, linear, type Pen, smoothstep } from './drawing.ts';
import type { Mood } from './mood.ts';
import { findWatermark } from './watermark.ts';
import { drawWeather, rainfall, snowfall, type Weather } from './weather.ts';

/** Decodes a picture and crops its longer side to fill the frame. */
export async function fitPicture(bytes: Uint8Array, width: number, height: number): Promise<Canvas> {
  const image = await loadImage(asStored(bytes));
  const { canvas, pen } = layer(width, height);
  pen.imageSmoothingQuality = 'high';
  const scale = Math.max(width / image.width, height / image.height);
  const [wide, high] = [image.width * scale, image.height * scale];
  if (image.width === width && image.height === height) pen.drawImage(image, 0, 0);
  else pen.drawImage(image, (width - wide) / 2, (height - high) / 2, wide, high);
  return canvas;
}

/** A clip that starts as one picture and may end as another. */
export interface PictureShot {
  first: Canvas;
  last: Canvas | null;
  seconds: number;
  seed: number;
  mood: Mood;
  /** Whether the prompt mentions water; then the lower part of the picture ripples. */
  water: boolean;
}

/**
 * Paints frames: a slow push into the picture, with pulsing lights and arriving weather. Frame 0 is exactly the picture; the last frame is
 * exactly the second picture.
 */
export function pictureFrames(shot: PictureShot): (pen: Pen, second: number) => void {
  const { first, last, seconds, mood } = shot;
  const random = randomOf(shot.seed);
  const [panX, panY, push] = [(random() - 0.5) * 1.6, (random() - 0.5) * 1.2, 0.055 + 0.04 * random()];
  const weather = weatherFor(shot, random);
  const opening = movable(first);
  const ending = last && movable(last);
  // The last frame is shown one frame before the clip's end.
  const end = seconds - 1 / 24;
  return (pen, second) => {
    const part = Math.min(1, second / end);
    const inside = movementAt(part, last !== null);
    const pulse = inside * (0.16 + 0.1 * Math.sin(second * 2.3) + 0.05 * Math.sin(second * 7.1));
    const turn = last ? smoothstep(0.3, 0.72, part) : 0;
    const sway = shot.water ? inside : 0;
    const move = { pulse, sway, second };
    if (turn < 1) paintMoved(pen, opening, { ...move, zoom: 1 + push * part, panX, panY, alpha: 1 });
    const zoom = 1 + push * (1 - part);
    if (ending && turn > 0) paintMoved(pen, ending, { ...move, zoom, panX: -panX, panY: -panY, alpha: turn });
    paintOldWatermark(pen, opening, 1 - smoothstep(0, 0.3, second));
    if (ending) paintOldWatermark(pen, ending, 1 - smoothstep(0, 0.3, end - second));
    drawWeather(pen, weather, second, inside * (mood.rain || mood.snow ? 1 : 0));
  };
}

/** How much the picture moves: it starts at rest and, with a second picture, ends at rest. */
const movementAt = (part: number, hasLast: boolean): number =>
  smoothstep(0, 0.16, part) * (hasLast ? smoothstep(0, 0.16, 1 - part) : 1);

/** A picture prepared for movement: its watermark, if any, is separate, so that it can fade out in place. */
interface Movable {
  picture: Canvas;
  lights: Canvas;
  watermark: { canvas: Canvas; x: number; y: number } | null;
}

function movable(picture: Canvas): Movable {
  const box = findWatermark(picture);
  if (!box) return { picture, lights: highlights(picture), watermark: null };
  const watermark = layer(box.width, box.height);
  watermark.pen.drawImage(picture, -box.x, -box.y);
  const clean = layer(picture.width, picture.height);
  clean.pen.drawImage(picture, 0, 0);
  clean.pen.drawImage(mirroredDown(picture, box), box.x, box.y);
  return {
    picture: clean.canvas,
    lights: highlights(clean.canvas),
    watermark: { canvas: watermark.canvas, x: box.x, y: box.y },
  };
}

/** The area above a box, mirrored downwards to cover it, with a feathered right edge. */
function mirroredDown(picture: Canvas, { x, y, width, height }: NonNullable<ReturnType<typeof findWatermark>>): Canvas {
  const { canvas, pen } = layer(width, height);
  pen.scale(1, -1);
  pen.filter = 'blur(2px)';
  pen.drawImage(picture, x, y - height, width, height, 0, -height, width, height);
  pen.resetTransform();
  pen.filter = 'none';
  pen.globalCompositeOperation = 'destination-in';
  pen.fillStyle = linear(
    pen,
    [0, 0, width, 0],
    [
      [0.85, '#000'],
      [1, 'rgba(0,0,0,0)'],
    ],
  );
  pen.fillRect(0, 0, width, height);
  return canvas;
}

function paintOldWatermark(pen: Pen, { watermark }: Movable, alpha: number): void {
  if (!watermark || alpha <= 0) return;
  pen.globalAlpha = alpha;
  pen.drawImage(watermark.canvas, watermark.x, watermark.y);
  pen.globalAlpha = 1;
}

interface Move {
  zoom: number;
  panX: number;
  panY: number;
  pulse: number;
  sway: number;
  second: number;
  alpha: number;
}

function paintMoved(pen: Pen, { picture, lights }: Movable, move: Move): void {
  const { width, height } = picture;
  const margin = (move.zoom - 1) / 2;
  const [x, y] = [width * margin * (move.panX - 1), height * margin * (move.panY - 1)];
  pen.setTransform(move.zoom, 0, 0, move.zoom, x, y);
  pen.globalAlpha = move.alpha;
  pen.drawImage(picture, 0, 0);
  if (move.sway > 0 && move.alpha === 1) ripple(pen, picture, move.second, move.sway);
  if (move.pulse > 0.004) {
    pen.globalCompositeOperation = 'screen';
    pen.globalAlpha = move.alpha * move.pulse;
    pen.drawImage(lights, 0, 0, width, height);
    pen.globalCompositeOperation = 'source-over';
  }
  pen.globalAlpha = 1;
  pen.resetTransform();
}

/** Lets the lower third sway like water: not at its upper edge, most at the bottom. */
function ripple(pen: Pen, picture: Canvas, second: number, strength: number): void {
  const { width, height } = picture;
  const top = height * 0.66;
  const step = (height - top) / 70;
  for (let strip = 0; strip < 70; strip += 1) {
    const near = strip / 70;
    const wave = Math.sin(strip * 0.7 + second * 2) + 0.7 * Math.sin(strip * 0.23 - second * 1.2);
    const sway = wave * near * strength * width * 0.0022;
    const y = top + strip * step;
    const high = Math.min(step + 1.5, height - y);
    pen.drawImage(picture, 0, y, width, high, sway, y, width, high);
  }
}

/** The bright areas of a picture, small and soft. */
function highlights(picture: Canvas): Canvas {
  const [width, height] = [picture.width / 8, picture.height / 8];
  const small = layer(width, height);
  small.pen.imageSmoothingQuality = 'high';
  small.pen.filter = 'contrast(1.9) brightness(0.82)';
  small.pen.drawImage(picture, 0, 0, small.canvas.width, small.canvas.height);
  const soft = layer(width, height);
  soft.pen.filter = `blur(${Math.max(1, height * 0.03)}px)`;
  soft.pen.drawImage(small.canvas, 0, 0);
  return soft.canvas;
}

function weatherFor({ first, mood }: PictureShot, random: ReturnType<typeof randomOf>): Weather {
  if (mood.snow) return snowfall(random, first.width, first.height, mood.snow);
  return rainfall(random, first.width, first.height, mood.rain, 0.1 + 0.1 * mood.wind);
}
