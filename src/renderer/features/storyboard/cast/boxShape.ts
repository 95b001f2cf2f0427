import type { CastBox } from '../../../../shared/board/cast.ts';

/** A box in a frame, in shares of its width and height: it is never smaller than can be measured, and never outside. */
export type BoxShape = Pick<CastBox, 'x' | 'y' | 'width' | 'height'>;

/** A grid has 32 cells a side; of fewer than two there is no outline. */
export const LEAST_SIDE = 0.07;

export const MIDDLE: BoxShape = { x: 0.25, y: 0.2, width: 0.5, height: 0.6 };

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The nearest box that can be. */
export function fitted({ x, y, width, height }: BoxShape): BoxShape {
  const [w, h] = [within(width, LEAST_SIDE, 1), within(height, LEAST_SIDE, 1)];
  return { x: within(x, 0, 1 - w), y: within(y, 0, 1 - h), width: w, height: h };
}

interface Point {
  x: number;
  y: number;
}

/** The box with these two corners. */
export const boxBetween = (one: Point, other: Point): BoxShape =>
  fitted({
    x: within(Math.min(one.x, other.x), 0, 1),
    y: within(Math.min(one.y, other.y), 0, 1),
    width: Math.abs(within(other.x, 0, 1) - within(one.x, 0, 1)),
    height: Math.abs(within(other.y, 0, 1) - within(one.y, 0, 1)),
  });
