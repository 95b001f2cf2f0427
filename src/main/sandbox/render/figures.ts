import { glow, type Pen, polygon } from './drawing.ts';

/** A car ferry seen from the side, bow to the left. `x`, `y`: bow at the waterline; `length` in pixels. */
export function ferry(pen: Pen, x: number, y: number, length: number, lit = 1, hull = '#0a0f12'): void {
  const high = length * 0.16;
  const at = (dx: number, dy: number): [number, number] => [x + length * dx, y - high * dy];
  pen.fillStyle = hull;
  pen.beginPath();
  pen.moveTo(...at(-0.03, 0.62));
  pen.quadraticCurveTo(...at(0.01, 0.2), ...at(0.045, 0));
  pen.lineTo(...at(0.99, 0));
  pen.lineTo(...at(1, 0.58));
  pen.closePath();
  pen.fill();
  polygon(pen, [at(0.07, 0.6), at(0.1, 1.12), at(0.96, 1.12), at(0.985, 0.58)], '#11181b');
  polygon(pen, [at(0.15, 1.1), at(0.18, 1.5), at(0.84, 1.5), at(0.86, 1.1)], '#0d1315');
  polygon(pen, [at(0.19, 1.48), at(0.215, 1.86), at(0.37, 1.86), at(0.39, 1.48)], '#0d1315');
  polygon(pen, [at(0.6, 1.48), at(0.625, 2.12), at(0.72, 2.12), at(0.74, 1.48)], '#0d1315');
  pen.fillRect(...at(0.29, 2.5), Math.max(1, length * 0.005), high * 0.7);
  if (lit <= 0) return;
  windows(pen, at(0.13, 0.98), length * 0.82, high * 0.17, 46, 0.86, '#ffd79a', lit);
  windows(pen, at(0.2, 1.38), length * 0.63, high * 0.16, 34, 0.7, '#ffe3b5', lit);
  windows(pen, at(0.215, 1.76), length * 0.157, high * 0.17, 9, 1, '#bfe6e4', lit);
  windows(pen, at(0.09, 0.4), length * 0.84, high * 0.07, 30, 0.5, '#f6b767', lit);
  glow(pen, ...at(0.5, 0.95), length * 0.42, '255,186,98', 0.2 * lit);
  glow(pen, ...at(0.292, 2.5), length * 0.05, '255,240,220', 0.9 * lit);
  glow(pen, ...at(0.67, 1.7), length * 0.09, '255,160,80', 0.35 * lit);
}

function windows(
  pen: Pen,
  [left, top]: [number, number],
  width: number,
  height: number,
  count: number,
  share: number,
  colour: string,
  lit: number,
): void {
  const step = width / count;
  pen.fillStyle = colour;
  for (let index = 0; index < count; index += 1) {
    if (((index * 7919 + count * 31) % 11) / 11 > share) continue;
    pen.globalAlpha = lit * (0.55 + 0.45 * (((index * 131) % 7) / 7));
    pen.fillRect(left + index * step, top, step * 0.62, Math.max(1, height));
  }
  pen.globalAlpha = 1;
}

/** Chin, throat, lips, nose, brow, hair with a bun, neck, shoulders: cubic Bézier pieces in head heights, the chin at the origin. */
const PROFILE: readonly (readonly [number, number, number, number, number, number])[] = [
  [0.2, 0.02, 0.25, -0.02, 0.245, -0.08],
  [0.24, -0.12, 0.285, -0.13, 0.275, -0.165],
  [0.27, -0.19, 0.29, -0.2, 0.285, -0.225],
  [0.28, -0.25, 0.335, -0.275, 0.335, -0.31],
  [0.33, -0.35, 0.275, -0.4, 0.268, -0.46],
  [0.262, -0.5, 0.3, -0.54, 0.29, -0.62],
  [0.29, -0.8, 0.16, -0.98, -0.1, -1],
  [-0.34, -1.02, -0.5, -0.88, -0.55, -0.66],
  [-0.66, -0.68, -0.8, -0.58, -0.78, -0.4],
  [-0.76, -0.24, -0.6, -0.18, -0.5, -0.24],
  [-0.49, -0.16, -0.5, -0.1, -0.54, -0.03],
  [-0.58, 0.05, -0.66, 0.1, -0.72, 0.2],
  [-1, 0.3, -1.2, 0.5, -1.3, 0.86],
  [-1.38, 1.2, -1.42, 1.8, -1.46, 3.4],
];
const CHEST: typeof PROFILE = [
  [0.88, 2.4, 0.8, 1.3, 0.6, 0.86],
  [0.52, 0.66, 0.36, 0.54, 0.28, 0.4],
  [0.24, 0.3, 0.22, 0.2, 0.12, 0.15],
  [0.05, 0.13, 0.05, 0.06, 0.1, 0.02],
];

/** A seated or standing bust in profile, in the pen's fill. `x`, `y`: the chin; `size`: the height of the head; `facing` 1 is right. */
export function person(pen: Pen, x: number, y: number, size: number, facing: 1 | -1 = 1): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(facing * size, size);
  pen.beginPath();
  pen.moveTo(0.1, 0.02);
  for (const curve of PROFILE) pen.bezierCurveTo(...curve);
  pen.lineTo(0.9, 3.4);
  for (const curve of CHEST) pen.bezierCurveTo(...curve);
  pen.closePath();
  pen.fill();
  pen.restore();
}

/** A standing figure from head to foot, seen from far: `x`, `y` at the feet. */
export function walker(pen: Pen, x: number, y: number, height: number): void {
  const at = (dx: number, dy: number): [number, number] => [x + height * dx, y - height * dy];
  pen.beginPath();
  pen.ellipse(...at(0, 0.925), height * 0.058, height * 0.072, 0, 0, 2 * Math.PI);
  pen.fill();
  pen.beginPath();
  pen.moveTo(...at(-0.035, 0.86));
  pen.bezierCurveTo(...at(-0.15, 0.83), ...at(-0.15, 0.66), ...at(-0.16, 0.34));
  pen.lineTo(...at(-0.085, 0.32));
  pen.lineTo(...at(-0.09, 0));
  pen.lineTo(...at(-0.02, 0));
  pen.lineTo(...at(0, 0.3));
  pen.lineTo(...at(0.035, 0));
  pen.lineTo(...at(0.1, 0));
  pen.lineTo(...at(0.09, 0.32));
  pen.lineTo(...at(0.155, 0.34));
  pen.bezierCurveTo(...at(0.15, 0.66), ...at(0.14, 0.83), ...at(0.035, 0.86));
  pen.closePath();
  pen.fill();
}

/** Two rails and their posts along the bottom of the frame. */
export function railing(pen: Pen, top: number, colour = '#0b0f11'): void {
  const { width, height } = pen.canvas;
  pen.fillStyle = colour;
  pen.fillRect(0, top, width, height * 0.02);
  pen.fillRect(0, top + height * 0.11, width, height * 0.014);
  for (let x = width * 0.03; x < width; x += Math.min(width, height * 1.78) * 0.155) {
    pen.fillRect(x, top, width * 0.009, height - top);
  }
}
