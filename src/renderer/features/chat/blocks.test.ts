import fc from 'fast-check';
import { lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { NO_BLOCKS, readOn } from './blocks.ts';

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
        expect([...blocks.settled, ...blocks.tail].map(({ raw }) => raw).join('')).toBe(
          lexer(text)
            .map(({ raw }) => raw)
            .join(''),
        );
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
