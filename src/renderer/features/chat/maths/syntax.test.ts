import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { type RemarkData, remarkMaths } from './syntax.ts';

const data: RemarkData = {};
remarkMaths.call({ data: () => data });

interface Node {
  type: string;
  value?: string;
  children?: Node[];
  data?: { hProperties?: { className: string[] } };
}

/** Formulas of a text, displayed ones with `display:` before them. */
function formulasOf(text: string): string[] {
  const found: string[] = [];
  const visit = ({ value, children = [], data: own }: Node): void => {
    const [className] = own?.hProperties?.className ?? [];
    if (className !== undefined) found.push(className === 'maths' ? `${value}` : `display:${value}`);
    children.forEach(visit);
  };
  const { micromarkExtensions, fromMarkdownExtensions } = data;
  visit(fromMarkdown(text, { extensions: micromarkExtensions, mdastExtensions: fromMarkdownExtensions }) as Node);
  return found;
}

const FORMULAS: [string, string[]][] = [
  ['Let \\(x_1\\) and \\(y_1\\) be.', ['x_1', 'y_1']],
  ['Let $x_1$ and $y_1$ be.', ['x_1', 'y_1']],
  ['The $n$th of $2^{10}$ frames.', ['n', '2^{10}']],
  ['**At \\(a*b*c\\)** it ends.', ['a*b*c']],
  ['- so \\[x = 1\\]', ['display:x = 1']],
  ['so $$x=y + 2$$.', ['display:x=y + 2']],
  ['> so $$\n> x=y\n> $$', ['display:\nx=y\n']],
  ['$a\\$b$', ['a\\$b']],
  ['\\(\\text{a\\)', ['\\text{a']],
  ['$a$, $b$', ['a', 'b']],
];

it.each(FORMULAS)('reads the formulas of %j', (text, formulas) => {
  expect(formulasOf(text)).toEqual(formulas);
});

/** The first six are of Pandoc's manual and of the tests of commonmark-hs, Comrak and markdown-it-katex; the others are what a bill says. */
const WORDS = [
  '$20,000 and $30,000',
  'This is not math: 2000$. And neither is this $ 4 $.',
  'The cost is between \\$10 and 30$.',
  'Thus, $20,000 and USD$30,000 will not parse.',
  'For some, it is 2$ for a can of soda, not 1$.',
  'aaa $5.99 bbb',
  'It costs $5 to $6 a take, and $x is unknown.',
  'US$5, A$6 and R$7$',
  'From $0.40/s to $2.00/s: $ 3',
  'export $HOME and $PATH',
  '`$x$` and `\\(x\\)`',
  '\\\\(x\\\\)',
  'empty $$ $$ and \\(\\) and \\[ \\]',
  'cut \\(x',
  'a price $',
  `$${'x'.repeat(1_001)}$`,
];

it.each(WORDS)('reads no formula in %j', (text) => {
  expect(formulasOf(text)).toEqual([]);
});

it('keeps a price apart from the formula behind it', () => {
  expect(formulasOf('The price is $5 and $x^2$ is the area.')).toEqual(['x^2']);
});

it('reads any text without an error, and makes nothing up', () => {
  const pieces = fc.constantFrom('$', '$$', '\\', '\\(', '\\)', '\\[', '\\]', 'x', 'y', ' ', '5', '*', '`');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (all) => {
      const text = all.join('');
      for (const formula of formulasOf(text)) expect(text).toContain(formula.replace('display:', ''));
    }),
  );
});
