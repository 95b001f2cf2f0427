import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addEdit,
  changeShape,
  emptyHistory,
  type MaskHistory,
  shapesOf,
  stepTo,
  undo,
  visibleEdits,
} from './document.ts';
import { rasterise } from './rasterise.ts';
import { floodRuns, runsOf } from './runs.ts';
import { boundsOf, movedBy, shapeAt } from './shapes.ts';

const box = (x: number, y: number, width: number, height: number) =>
  ({ kind: 'rect', op: 'add', x, y, width, height }) as const;
const of = (...edits: Parameters<typeof addEdit>[1][]): MaskHistory => edits.reduce(addEdit, emptyHistory(20, 10));
const pixels = ({ document }: MaskHistory) => [...rasterise(document).data].map((value) => (value ? 1 : 0)).join('');

test('a shape that is moved is painted where it is now, in its old place in the order', () => {
  const before = of(box(0, 0, 4, 4), { ...box(2, 2, 2, 2), op: 'subtract' });
  const moved = changeShape(before, 0, movedBy(box(0, 0, 4, 4), 1, 0));
  expect(pixels(moved)).toBe(pixels(of(box(1, 0, 4, 4), { ...box(2, 2, 2, 2), op: 'subtract' })));
  expect(pixels(undo(moved))).toBe(pixels(before));
  expect(shapesOf(moved.document).map(({ index }) => index)).toEqual([0, 1]);
});

test('a shape that is taken away is no shape any more, and comes back with one undo', () => {
  const before = of(box(0, 0, 4, 4), box(8, 0, 4, 4));
  const gone = changeShape(before, 0, null);
  expect(pixels(gone)).toBe(pixels(of(box(8, 0, 4, 4))));
  expect(shapesOf(gone.document).map(({ index }) => index)).toEqual([1]);
  expect(pixels(undo(gone))).toBe(pixels(before));
});

test('what is typed one behind the other for one shape is one step; for another, or after another step, it is its own', () => {
  let history = of(box(0, 0, 4, 4), box(8, 0, 4, 4));
  for (const x of [1, 2, 3]) history = changeShape(history, 0, box(x, 0, 4, 4), true);
  expect(history.document.strokes).toHaveLength(3);
  history = changeShape(history, 1, box(9, 0, 4, 4), true);
  history = changeShape(history, 0, box(4, 0, 4, 4));
  history = changeShape(history, 0, box(5, 0, 4, 4), true);
  expect(history.document.strokes).toHaveLength(6);
  expect(pixels(stepTo(history, 3))).toBe(pixels(of(box(3, 0, 4, 4), box(8, 0, 4, 4))));
});

test('before a clear there is nothing to choose, and a change of it paints nothing', () => {
  const history = changeShape(of(box(0, 0, 4, 4), { kind: 'clear' }), 0, box(1, 1, 4, 4));
  expect(shapesOf(history.document)).toEqual([]);
  expect(visibleEdits(history.document)).toEqual([]);
});

test('the uppermost shape under the pointer is found, where it is painted', () => {
  const { document } = of(
    box(0, 0, 6, 6),
    { kind: 'ellipse', op: 'add', x: 4, y: 0, width: 8, height: 8 },
    {
      kind: 'stroke',
      op: 'add',
      radius: 1,
      points: [
        { x: 15, y: 1 },
        { x: 15, y: 8 },
      ],
    },
    {
      kind: 'area',
      op: 'add',
      points: [
        { x: 17, y: 0 },
        { x: 19, y: 0 },
        { x: 19, y: 4 },
        { x: 17, y: 4 },
      ],
    },
  );
  const found = (x: number, y: number, reach = 0) => shapeAt(document, { x, y }, reach)?.edit.kind;
  expect([found(1, 1), found(5, 4), found(11.8, 7.8), found(15.9, 5), found(16.2, 5), found(18, 2)]).toEqual([
    'rect',
    'ellipse',
    undefined,
    'stroke',
    undefined,
    'area',
  ]);
  expect(found(16.2, 6, 1)).toBe('stroke');
  const [, , stroke] = shapesOf(document);
  expect(stroke && boundsOf(stroke.edit)).toEqual({ x: 14, y: 0, width: 2, height: 9 });
});

const aRaster = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc.record({
      raster: fc
        .array(fc.boolean(), { minLength: width * height, maxLength: width * height })
        .map((bits) => ({ width, height, data: Uint8Array.from(bits, (bit) => (bit ? 255 : 0)) })),
      start: fc.nat(width * height - 1),
    }),
  );

/** Spreads over one neighbour at a time. */
function area({ width, data }: { width: number; data: Uint8Array }, start: number): number[] {
  const found = new Set([start]);
  for (const index of found)
    for (const next of [
      index - width,
      index + width,
      ...(index % width ? [index - 1] : []),
      ...((index + 1) % width ? [index + 1] : []),
    ])
      if (data[next] !== undefined && data[next] === data[start]) found.add(next);
  return [...found].sort((a, b) => a - b);
}

test('an area is filled as far as it hangs together, and as runs it is painted pixel by pixel', () => {
  fc.assert(
    fc.property(aRaster, ({ raster, start }) => {
      const { width, height } = raster;
      const runs = floodRuns(raster, { x: (start % width) + 0.5, y: Math.floor(start / width) + 0.5 });
      const strokes = [{ kind: 'pixels', op: 'replace', made: 'fill', runs } as const];
      const { data } = rasterise({ width, height, strokes });
      expect([...data.keys()].filter((index) => data[index] === 255)).toEqual(area(raster, start));
      expect(runsOf(data, width)).toEqual(runs);
    }),
    { numRuns: 300 },
  );
});

test('nothing is filled from outside of the picture', () => {
  expect(floodRuns(rasterise(of().document), { x: -1, y: 3 })).toHaveLength(0);
});
