import { expect, test } from 'vitest';
import { longFunctions, longFunctionsIn } from './functionLength.ts';

test('every function fits on a screen', () => {
  expect(longFunctions()).toEqual([]);
});

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

const PLANTED = {
  'a function': (count: number) => `function long() {\n${lines(count, '  call();')}}`,
  'an arrow': (count: number) => `export const long = () => {\n${lines(count, '  call();')}};`,
  'a method': (count: number) => `class A {\n  long() {\n${lines(count, '    call();')}  }\n}`,
  'a component of little but JSX': (count: number) =>
    `function Long() {\n  return (\n    <ul>\n${lines(count - 4, '      <li>one</li>')}    </ul>\n  );\n}`,
  'an expression': (count: number) => `const Long = () => <ul>\n${lines(count - 2, '  <li>one</li>')}</ul>;`,
  'a function of little but comments': (count: number) => `function long() {\n${lines(count, '  // one')}}`,
};
test.each(Object.entries(PLANTED))('%s may have 60 lines, and no more', (_, ofLines) => {
  expect(longFunctionsIn('src/planted.tsx', ofLines(60))).toEqual([]);
  expect(longFunctionsIn('src/planted.tsx', ofLines(61))).toEqual([expect.stringContaining('61 lines')]);
});
