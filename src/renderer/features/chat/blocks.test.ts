import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Blocks, NO_BLOCKS, readOn, stretchesOf } from './blocks.ts';
import { weightOf } from './limits.ts';

const PIECES = [
  '# Title\n',
  '- one\n',
  '\n',
  'words ',
  '**bold** ',
  '```js\n',
  'let a = 1;\n',
  '```\n',
  '| a | b |\n| - | - |\n',
  '| 1 | 2 |\n',
  '> quote\n',
  '1. first\n',
  '<b>raw</b>\n',
  '$$\n',
  '\\[ x\n',
  '\\]\n',
];

describe('reading a growing answer', () => {
  it('loses nothing: the blocks joined are the text, however it was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), (pieces) => {
        let blocks = NO_BLOCKS;
        let text = '';
        for (const piece of pieces) {
          text += piece;
          blocks = readOn(blocks, text);
        }
        expect([...blocks.settled, ...blocks.tail].map(({ raw }) => raw).join('')).toBe(text);
      }),
    );
  });

  it('keeps settled blocks as they are, so that they are not drawn again', () => {
    const first = readOn(NO_BLOCKS, 'One.\n\nTwo.\n\nThr');
    const second = readOn(first, 'One.\n\nTwo.\n\nThree, and on');
    expect(second.settled).toBe(first.settled);
    expect(second.tail.map(({ raw }) => raw)).toEqual(['Three, and on']);
  });

  it('starts anew when the text was replaced', () => {
    const blocks = readOn(readOn(NO_BLOCKS, 'One.\n\nTwo.'), 'Other.');
    expect([...blocks.settled, ...blocks.tail].map(({ raw }) => raw)).toEqual(['Other.']);
  });
});

const all = ({ settled, tail }: Blocks) => [...settled, ...tail];
const rawOf = (blocks: Blocks): string =>
  all(blocks)
    .map(({ raw }) => raw)
    .join('');
/** What is left to be drawn as Markdown. */
const drawn = (blocks: Blocks) => all(blocks).filter(({ token }) => token !== undefined && token.type !== 'space');

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

/** The lexer takes their words line by line, and looks through all the others at each. */
const ENTRIES: [name: string, text: string][] = [
  ['an entry of 4,000 lines', `- a\n${'  word\n'.repeat(4_000)}`],
  ['… that go on without an indent', `1. a\n${'word\n'.repeat(4_000)}`],
  ['… that look like further entries, too far in', `- a\n${'      - b\n'.repeat(4_000)}`],
  ['… by tabs', `- a\n${'\t\t- b\n'.repeat(4_000)}`],
  ['… in a quote', `> - a\n${'>   word\n'.repeat(4_000)}`],
  ['… behind a blank line', `- a\n\n${'  word\n'.repeat(4_000)}`],
  ['an entry of 500 long lines', `- a\n${`  ${'word '.repeat(100)}\n`.repeat(500)}`],
];

/** Each would stop the page for seconds, or end it, if it were drawn as Markdown. */
const HOSTILE: [name: string, text: string][] = [
  ['2,000 quotes in each other', `${'>'.repeat(2_000)} deep`],
  ['… with blanks between', `${'> '.repeat(2_000)} deep`],
  ['2,000 bullets in one line', `${'- '.repeat(2_000)}deep`],
  ['2,000 numbers in one line', `${'1. '.repeat(2_000)}deep`],
  ['500 list levels', lines(500, (level) => `${'  '.repeat(level)}- level\n`)],
  ['500 list levels by tabs', lines(500, (level) => `${'\t'.repeat(level)}* level\n`)],
  ['emphasis that never closes', '*a_'.repeat(20_000)],
  ['bold in bold', 'a**b*'.repeat(20_000)],
  ['links that never close', '[](a:'.repeat(40_000)],
  ['brackets', '['.repeat(200_000)],
  ['code marks of every length', lines(1_000, (index) => `${'`'.repeat(index % 100)}a`)],
  ['half a tag', '<a '.repeat(50_000)],
  ['entities', '&a'.repeat(50_000)],
  [
    'a table of 100,000 cells',
    `${'| a '.repeat(50)}|\n${'| - '.repeat(50)}|\n${`${'| b '.repeat(50)}|\n`.repeat(2_000)}`,
  ],
  ['a cell of emphasis', `| a | b |\n| - | - |\n| ${'*a_'.repeat(1_000)} | b |\n`],
  ['a list of 100,000 lines', '- item\n'.repeat(100_000)],
  ...ENTRIES,
  ['a loose list of 50,000 items', '- item\n\n'.repeat(50_000)],
  ['emphasis inside a list', `- ${'*a_'.repeat(10_000)}\n`],
  ['… behind numbers that go on with its paragraph', `- a\n${lines(1_000, () => '  2. *a_*a_*a_\n')}`],
  ['emphasis in quotes', lines(500, () => '> *a_*a_*a_*a_\n')],
  ['backslashes', '\\'.repeat(100_000)],
  ['references', '[a][b]'.repeat(17_000)],
  ['a word of 800,000 letters', 'a'.repeat(800_000)],
  ['… in a heading', `# ${'a'.repeat(800_000)}`],
  ['… in an entry', `- ${'a'.repeat(800_000)}`],
  ['… in a cell', `| a |\n| - |\n| ${'a'.repeat(800_000)} |\n`],
  ['… in the middle of a text', `One\n${'a'.repeat(800_000)}\ntwo`],
  ['a line of 900,000 characters', 'word '.repeat(180_000)],
  ['300 lines of 5,000 letters', lines(300, () => `${'abcde'.repeat(1_000)}\n`)],
  ['… of words', lines(300, () => `${'abcd '.repeat(1_000)}\n`)],
  ['5,000 columns', `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n`],
  ['100,000 combining marks', `a${'\u0301'.repeat(100_000)}`],
  ['blanks inside a line', `[a]:${' '.repeat(100_000)}b`],
];

describe('a text that would stop the page', () => {
  it.each(HOSTILE)('%s is shown plain, and nothing of it is lost', (_, text) => {
    const blocks = readOn(NO_BLOCKS, text);
    expect(rawOf(blocks)).toBe(text);
    expect(drawn(blocks).reduce((sum, { token }) => sum + weightOf(token), 0)).toBeLessThan(500);
  });

  it.each(ENTRIES)('%s is not given to the lexer', (_, text) => {
    const given = stretchesOf(text).filter(({ deep }) => !deep);
    expect(given.map(({ raw }) => raw).join('').length).toBeLessThan(10);
  });

  it('of many entries that are each within the limit is given to the lexer up to a limit for all', () => {
    const entry = `- a\n${'  word\n'.repeat(1_000)}`;
    const entries = Array.from({ length: 40 }, () => entry).join('\n');
    const given = stretchesOf(entries).filter(({ deep }) => !deep);
    expect(given.map(({ raw }) => raw).join('').length).toBeLessThan(20 * entry.length);
    expect(rawOf(readOn(NO_BLOCKS, entries))).toBe(entries);
  });

  it.each([
    ['a list of 900 items', lines(900, (index) => `- item ${index} ${'word '.repeat(20)}\n`), 'list'],
    ['a list in lists', lines(900, (index) => `${'  '.repeat(index % 4)}- item ${index}\n`), 'list'],
    ['a paragraph of 900 lines', lines(900, () => `${'word '.repeat(20)}\n`), 'paragraph'],
    ['a table of 400 rows', `| a | b |\n| - | - |\n${lines(400, () => `| ${'word '.repeat(20)} | b |\n`)}`, 'table'],
    ['code behind a list', `- a\n\`\`\`js\n${lines(3_000, (index) => `  let a${index} = 1;\n`)}\`\`\`\n`, 'code'],
    ['an item with a paragraph', `- a\n${lines(100, () => `  ${'word '.repeat(15)}\n`)}`, 'list'],
  ])('%s is none, and is drawn', (_, text, type) => {
    expect(all(readOn(NO_BLOCKS, text)).map(({ token }) => token?.type)).toContain(type);
  });

  it('takes the words around it along as Markdown', () => {
    const text = `# Before\n\n${'>'.repeat(2_000)}\n\n**after**\n`;
    const types = all(readOn(NO_BLOCKS, text)).map(({ token }) => token?.type ?? 'plain');
    expect(types).toEqual(['heading', 'space', 'plain', 'paragraph']);
  });

  it.each([
    ['many long paragraphs', `${'abcd '.repeat(1_000)}\n\n`],
    ['much code', `\`\`\`js\n${'let a = 1;\n'.repeat(1_000)}\`\`\`\n`],
    ['many plain parts', `${'*a_'.repeat(4_000)}\n\n`],
  ])('%s are shown up to a limit, and the rest is one plain block', (_, part) => {
    const blocks = all(readOn(NO_BLOCKS, part.repeat(400)));
    const shown = blocks.slice(0, -1).reduce((sum, { raw }) => sum + raw.length, 0);
    expect(shown).toBeLessThan(500_000);
    expect(blocks.at(-1)?.token).toBeUndefined();
    expect(blocks.map(({ raw }) => raw).join('')).toBe(part.repeat(400));
  });

  it('of endless small blocks is drawn up to a limit, and its rest is one block', () => {
    const text = 'a **b**\n\n'.repeat(50_000);
    const blocks = readOn(NO_BLOCKS, text);
    expect(rawOf(blocks)).toBe(text);
    expect(all(blocks).length).toBeLessThan(7_000);
    const grown = readOn(blocks, `${text}and on`);
    expect(grown.settled, 'nothing is read again').toBe(blocks.settled);
    expect(grown.tail).toEqual([{ raw: `${blocks.tail[0]?.raw}and on` }]);
  });

  it('however it is made up, never asks for more than the limits, whole or in pieces', () => {
    const unit = fc.constantFrom(
      '*a_',
      '[](a:',
      '> ',
      '>',
      '- ',
      '1. ',
      '\n',
      '\n\n',
      '`',
      '| a ',
      '  ',
      '\t',
      'word ',
      '<b ',
      '```\n',
    );
    const part = fc.tuple(unit, fc.integer({ min: 1, max: 400 })).map(([text, count]) => text.repeat(count));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        let blocks = NO_BLOCKS;
        let text = '';
        for (const piece of parts) {
          text += piece;
          blocks = readOn(blocks, text);
        }
        expect(rawOf(blocks)).toBe(text);
        for (const { raw, token } of drawn(blocks)) {
          expect(raw).not.toBe('');
          if (token?.type !== 'code') expect(weightOf(token)).toBeLessThanOrEqual(5_005);
        }
      }),
    );
  });
});

it('counts every line end as one, so that a text of another system is cut where it ends', () => {
  const blocks = readOn(readOn(NO_BLOCKS, 'One.\r\n\r\nTwo.\r\n\r\nThr'), 'One.\r\n\r\nTwo.\r\n\r\nThree.');
  expect(rawOf(blocks)).toBe('One.\n\nTwo.\n\nThree.');
});
