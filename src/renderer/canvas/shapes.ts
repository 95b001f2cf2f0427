import {
  type Box,
  distanceToSegment,
  type MaskDocument,
  type Point,
  type Shape,
  type ShapeEdit,
  shapesOf,
} from './document.ts';

export function boundsOf(edit: ShapeEdit): Box {
  if (!('points' in edit)) return edit;
  const reach = edit.kind === 'stroke' ? edit.radius : 0;
  const [xs, ys] = [edit.points.map(({ x }) => x), edit.points.map(({ y }) => y)];
  const [left, top] = [least(xs) - reach, least(ys) - reach];
  return { x: left, y: top, width: most(xs) + reach - left, height: most(ys) + reach - top };
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

export function movedBy(edit: ShapeEdit, dx: number, dy: number): ShapeEdit {
  if (!('points' in edit)) return { ...edit, x: edit.x + dx, y: edit.y + dy };
  return { ...edit, points: edit.points.map(({ x, y }) => ({ x: x + dx, y: y + dy })) };
}

/** The uppermost shape at a place; `reach` picture pixels beside it count too. */
export const shapeAt = (document: MaskDocument, at: Point, reach: number): Shape | undefined =>
  shapesOf(document).findLast(({ edit }) => isInside(edit, at, reach));

function isInside(edit: ShapeEdit, at: Point, reach: number): boolean {
  if (edit.kind === 'stroke') return isNear(edit.points, at, edit.radius + reach);
  if (edit.kind === 'area') return turnsAround(edit.points, at) !== 0;
  const [rx, ry] = [edit.width / 2 + reach, edit.height / 2 + reach];
  const [dx, dy] = [Math.abs(at.x - edit.x - edit.width / 2) / rx, Math.abs(at.y - edit.y - edit.height / 2) / ry];
  return edit.kind === 'rect' ? dx <= 1 && dy <= 1 : Math.hypot(dx, dy) <= 1;
}

const isNear = (points: readonly Point[], at: Point, reach: number): boolean =>
  points.some((point, index) => distanceToSegment(at, points[index - 1] ?? point, point) <= reach);

/** How often the outline goes round the point: the non-zero rule, as it is painted. */
function turnsAround(points: readonly Point[], { x, y }: Point): number {
  let turns = 0;
  let a = points.at(-1);
  for (const b of points) {
    if (a && a.y <= y !== b.y <= y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) turns += b.y > a.y ? 1 : -1;
    a = b;
  }
  return turns;
}
