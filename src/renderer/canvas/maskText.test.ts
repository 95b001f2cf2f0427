import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addEdit, changeShape, emptyHistory, type MaskEdit, type MaskHistory, stepTo } from './document.ts';
import { historyOfText, paintedAfter, textOfHistory } from './maskText.ts';
import { rasterise } from './rasterise.ts';

const SIZE = { width: 20, height: 12 };
const place = fc.integer({ min: -300, max: 3_000 }).map((hundredths) => hundredths / 100);
const op = fc.constantFrom('add' as const, 'subtract' as const);
const points = fc.array(fc.record({ x: place, y: place }), { minLength: 1, maxLength: 6 });
const box = fc.record({ x: place, y: place, width: place, height: place });
const shape = fc.oneof(
  fc.record({ op, radius: place, points }).map((one) => ({ kind: 'stroke' as const, ...one })),
  fc.record({ op, points }).map((one) => ({ kind: 'area' as const, ...one })),
  fc.record({ kind: fc.constantFrom('rect' as const, 'ellipse' as const), op, box }).map(({ box: at, ...one }) => ({
    ...one,
    ...at,
  })),
);
const runs = fc
  .array(fc.record({ row: fc.nat(11), from: fc.nat(18), length: fc.integer({ min: 1, max: 9 }) }), { maxLength: 12 })
  .map((all) =>
    Int32Array.from(
      all
        .toSorted((a, b) => a.row - b.row || a.from - b.from)
        .flatMap(({ row, from, length }) => [row, from, from + length]),
    ),
  );
const edit: fc.Arbitrary<MaskEdit> = fc.oneof(
  shape,
  fc.record({
    kind: fc.constant('pixels' as const),
    op: fc.constantFrom('add', 'subtract', 'replace'),
    made: fc.constantFrom('fill', 'import'),
    runs,
  }),
  fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: -3, max: 3 }) }),
  fc.constantFrom({ kind: 'invert' as const }, { kind: 'clear' as const }),
  fc.record(
    { kind: fc.constant('change' as const), target: fc.nat(5), to: fc.option(shape), typed: fc.boolean() },
    { requiredKeys: ['kind', 'target', 'to'] },
  ),
);
const history = fc
  .record({ edits: fc.array(edit, { minLength: 1, maxLength: 8 }), back: fc.nat(8) })
  .map(({ edits, back }) => {
    const all = edits.reduce(addEdit, emptyHistory(SIZE.width, SIZE.height));
    return stepTo(all, edits.length - back);
  });

test('every mask with what was undone comes back from its text as it was', () => {
  fc.assert(
    fc.property(history, (painted) => {
      expect(historyOfText(textOfHistory(painted) ?? '', SIZE)).toEqual(painted);
    }),
  );
});

test('the text of what was read from a text is that text', () => {
  fc.assert(
    fc.property(history, (painted) => {
      const text = textOfHistory(painted);
      const read = historyOfText(text ?? '', SIZE);
      expect(read && textOfHistory(read)).toBe(text);
    }),
  );
});

test('a mask on which nothing was painted has no text', () => {
  expect(textOfHistory(emptyHistory(20, 12))).toBeUndefined();
});

test('a text of something else, or of a picture of another size, is not taken for a mask', () => {
  const text = textOfHistory(addEdit(emptyHistory(20, 12), { kind: 'invert' })) ?? '';
  expect(historyOfText(text, { width: 20, height: 13 })).toBeUndefined();
  const odd = { ...SIZE, strokes: [{ kind: 'stroke', op: 'add', radius: 1, points: [1, 2, 3] }], undone: [] };
  for (const other of ['', '{', 'null', '[]', JSON.stringify(odd), JSON.stringify({ ...SIZE, strokes: [{}] })])
    expect(historyOfText(other, SIZE), other).toBeUndefined();
});

test('what was painted while the kept mask was read is painted after it', () => {
  const rect = (x: number) => ({ kind: 'rect', op: 'add', x, y: 0, width: 2, height: 2 }) as const;
  const of = (...edits: MaskEdit[]): MaskHistory => edits.reduce(addEdit, emptyHistory(20, 12));
  const joined = paintedAfter(of(rect(0), rect(4)), changeShape(of(rect(8)), 0, rect(12)));
  expect(rasterise(joined.document).data).toEqual(rasterise(of(rect(0), rect(4), rect(12)).document).data);
});
