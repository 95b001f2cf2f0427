import { expect, it } from 'vitest';
import { textLines } from './textLines.ts';

const linesOf = (text: string) => [...textLines(text)].map(({ line, start, end }) => [line, text.slice(start, end)]);

it.each<[string, [number, string][]]>([
  ['', []],
  [
    'a\nb',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'a\r\nb\rc\n',
    [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ],
  ],
  [
    '\n\r\n\rx',
    [
      [1, ''],
      [2, ''],
      [3, ''],
      [4, 'x'],
    ],
  ],
  ['\ufeffa', [[1, 'a']]],
])('numbers the lines of %j', (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});
