import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvRows, plainCell, separatorOf } from './csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '﹣1',
  ' =1',
  '\u00a0\u3000+1',
  '\ufeff=1',
  '\u200b\u202e @x',
  '\0=1',
  ' \n=1',
  '=HYPERLINK("http://x","y")',
])('the cell %j is text and no formula', (text) => {
  expect(csvCell(text)).toBe(`"'${text.replaceAll('"', '""')}"`);
});

test.each([
  ["'=1", "''=1"],
  ["''+1", "'''+1"],
])('%j is told apart from the text that only looks like it', (text, cell) => {
  expect(csvCell(text)).toBe(`"${cell}"`);
  expect(plainCell(cell)).toBe(text);
});

test.each(['', 'model-a', 'a=b', '2026-11-21', ' a', 'a\n=1', '\u200ba', "'quoted'"])(
  'the cell %j stays as it is',
  (text) => {
    expect(csvCell(text)).toBe(`"${text}"`);
  },
);

const rowsOf = (text: string, separator = ',') =>
  [...csvRows(text, separator)].map(({ line, cells, fault }) => ({ line, cells, ...(fault && { fault }) }));

test('what is written as cells is read back, whatever it holds and whatever ends a row', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', "'", '=', '-', '@', ' ', '\ufeff', 'a') }),
  );
  // A row of one empty cell is an empty line.
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 });
  const end = fc.constantFrom('\r\n', '\n', '\r');
  fc.assert(
    fc.property(table, end, fc.constantFrom(',', ';', '\t'), fc.boolean(), (rows, br, separator, isEnded) => {
      const written = rows.map((row) => row.map(csvCell).join(separator)).join(br) + (isEnded ? br : '');
      const read = [...csvRows(`\ufeff${written}`, separator)];
      expect(read.map(({ cells }) => cells.map(plainCell))).toEqual(rows);
      expect(read.filter(({ fault }) => fault !== undefined)).toEqual([]);
    }),
  );
});

test('a row is counted by the line on which it begins, with line breaks inside of cells and empty lines between', () => {
  expect(rowsOf('a,b\r\n"1\r\n2\n3\r4",x\r\n\r\n\n5,6')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1\r\n2\n3\r4', 'x'] },
    { line: 8, cells: ['5', '6'] },
  ]);
});

test.each([
  ['a quote that is never closed', 'a,b\n1,"2\n3,4', [2, ['1', '2\n3,4'], 'has a quote that is never closed.']],
  [
    'text behind a quote',
    'a,b\n"1"x,2\n3,4',
    [2, ['1x', '2'], 'has text behind a closing quote; write a quote inside as "".'],
  ],
  ['a quote inside a plain cell', 'a,b\n1,say "hm"', [2, ['1', 'say "hm"'], undefined]],
  ['a last cell that is empty', 'a,b\n1,', [2, ['1', ''], undefined]],
])('%s', (_, text, [line, cells, fault]) => {
  const row = [...csvRows(text, ',')][1];
  expect([row?.line, row?.cells, row?.fault]).toEqual([line, cells, fault]);
});

test('its place in the text is exactly what was read as the row', () => {
  const text = '\ufeffa,b\r\n"1\r\n2",x\r\n\r\n5,6';
  expect([...csvRows(text, ',')].map(({ start, end }) => text.slice(start, end))).toEqual(['a,b', '"1\r\n2",x', '5,6']);
});

test.each([
  ['a,b;c', ','],
  ['a;b;c\n1,2,3,4,5', ';'],
  ['a\tb', '\t'],
  ['prompt', ','],
  ['', ','],
  ['"a,b,c";d', ';'],
  ['sep=;\r\na,b,c;d', ';'],
  ['\ufeffSEP=|\na,b|c', '|'],
  ['"sep=\t"\na,b\tc', '\t'],
  ['separator,b', ','],
])('the cells of %j are separated by %j', (text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});

test('a line that names the separator is no row, and spreadsheets do not count it', () => {
  const text = '\ufeffsep=;\r\na,b;c\r\n1;2';
  expect(rowsOf(text, separatorOf(text))).toEqual([
    { line: 1, cells: ['a,b', 'c'] },
    { line: 2, cells: ['1', '2'] },
  ]);
  expect([...csvRows(text, ';')].map(({ start, end }) => text.slice(start, end))).toEqual(['a,b;c', '1;2']);
});
