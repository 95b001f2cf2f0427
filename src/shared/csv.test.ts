import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';

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

test.each(['', 'model-a', 'a=b', '2026-11-21', ' a', 'a\n=1', '\u200ba', "'quoted'"])(
  'the cell %j stays as it is',
  (text) => {
    expect(csvCell(text)).toBe(`"${text}"`);
  },
);
