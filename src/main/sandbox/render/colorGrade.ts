import type { Canvas } from '@napi-rs/canvas';
import type { Random } from '../random.ts';
import { layer } from './drawing.ts';

/** A colour grade: a tint by soft light, exposure, and blacks lifted towards blue. */
export interface Grade {
  tint: [number, number, number];
  strength: number;
  exposure: number;
}

export const NIGHT_GRADE: Grade = { tint: [30, 90, 100], strength: 0.32, exposure: 1.16 };

/** Grades a plane in place. Transparent areas keep their alpha, so that sprites match their background. */
export function applyGrade(canvas: Canvas, grade: Grade): void {
  const pen = canvas.getContext('2d');
  const image = pen.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = image;
  const [red, green, blue] = ([0, 1, 2] as const).map((channel) => curveOf(grade, channel));
  if (!red || !green || !blue) return;
  for (let at = 0; at < data.length; at += 4) {
    data[at] = red[data[at] ?? 0] ?? 0;
    data[at + 1] = green[data[at + 1] ?? 0] ?? 0;
    data[at + 2] = blue[data[at + 2] ?? 0] ?? 0;
  }
  pen.putImageData(image, 0, 0);
}

const LIFT = [3, 4, 6] as const;

function curveOf(grade: Grade, channel: 0 | 1 | 2): Uint8ClampedArray {
  const source = grade.tint[channel] / 255;
  return Uint8ClampedArray.from({ length: 256 }, (_, level) => {
    const base = level / 255;
    const mixed = base + (softLight(base, source) - base) * grade.strength;
    return Math.round(mixed * 255 * grade.exposure + LIFT[channel]);
  });
}

/** The W3C soft-light function of one channel. */
function softLight(base: number, source: number): number {
  if (source <= 0.5) return base - (1 - 2 * source) * base * (1 - base);
  const lifted = base <= 0.25 ? ((16 * base - 12) * base + 4) * base : Math.sqrt(base);
  return base + (2 * source - 1) * (lifted - base);
}

/** Adds the glow of bright areas to an opaque plane. */
export function bloom(canvas: Canvas, strength = 0.3): void {
  const { width, height } = canvas;
  const small = layer(width / 4, height / 4);
  small.pen.drawImage(canvas, 0, 0, small.canvas.width, small.canvas.height);
  const soft = layer(small.canvas.width, small.canvas.height);
  soft.pen.filter = `blur(${Math.max(1, height * 0.0055)}px) brightness(1.1)`;
  soft.pen.drawImage(small.canvas, 0, 0);
  const pen = canvas.getContext('2d');
  pen.save();
  pen.globalCompositeOperation = 'screen';
  pen.globalAlpha = strength;
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(soft.canvas, 0, 0, width, height);
  pen.restore();
}

/** Darkens the corners; on a sprite, only painted pixels. `left`, `top`: the plane's position in the frame. */
export function vignette(
  canvas: Canvas,
  frame: { width: number; height: number },
  left = 0,
  top = 0,
  strength = 0.55,
): void {
  const { width, height } = frame;
  const pen = canvas.getContext('2d');
  pen.save();
  pen.globalCompositeOperation = 'source-atop';
  pen.translate(-left, -top);
  pen.translate(width / 2, height * 0.49);
  pen.scale(width / 2, height / 2);
  const gradient = pen.createRadialGradient(0, 0, 0.55, 0, 0, 1.42);
  gradient.addColorStop(0, 'rgba(0,0,0,0)');
  gradient.addColorStop(0.55, `rgba(0,0,0,${strength * 0.42})`);
  gradient.addColorStop(1, `rgba(0,0,0,${strength})`);
  pen.fillStyle = gradient;
  // Drifting planes are wider than the frame.
  pen.fillRect(-1.4, -1.4, 2.8, 2.8);
  pen.restore();
}

/** Film grain on an opaque plane; it also keeps dark gradients from banding when they are encoded. */
export function grain(canvas: Canvas, random: Random, strength: number): void {
  const pen = canvas.getContext('2d');
  const image = pen.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = image;
  const field = Float32Array.from({ length: 65_536 }, () => (random() + random() - 1) * strength);
  let row = 0;
  for (let at = 0, cell = 0; at < data.length; at += 4, cell += 1) {
    // Each row starts at another place in the noise, so that no pattern shows.
    if ((at >> 2) % canvas.width === 0) row = Math.floor(random() * 65_536);
    const speck = field[(row + cell) & 65_535] ?? 0;
    data[at] = (data[at] ?? 0) + speck;
    data[at + 1] = (data[at + 1] ?? 0) + speck;
    data[at + 2] = (data[at + 2] ?? 0) + speck;
  }
  pen.putImageData(image, 0, 0);
}
