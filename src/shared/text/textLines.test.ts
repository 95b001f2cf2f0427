import { expect, it } from 'vitest';
import { textLines } from './textLines.ts';

it.each<[string, string[]]>([
  ['', []],
  ['a\nb', ['1 a', '2 b']],
  ['a\r\nb\rc\n', ['1 a', '2 b', '3 c']],
  ['\n\r\n\rx', ['1 ', '2 ', '3 ', '4 x']],
  ['\ufeffa', ['1 a']],
])('numbers the lines of %j', (text, lines) => {
  expect([...textLines(text)].map(({ line, start, end }) => `${line} ${text.slice(start, end)}`)).toEqual(lines);
});
