import { describe, expect, it } from 'vitest';
import { piecesOf } from './InPieces.tsx';

describe('a text in pieces', () => {
  it.each([
    ['one word', 'a'.repeat(50_000)],
    ['words', 'word '.repeat(10_000)],
    ['lines', 'a line\n'.repeat(10_000)],
    ['pairs of surrogates', `a${'👩'.repeat(20_000)}`],
    ['blank lines', '\n'.repeat(50_000)],
  ])('loses nothing, and no piece is long: %s', (_, text) => {
    const pieces = piecesOf(text, text.length);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    expect(pieces.filter((piece) => /[\uD800-\uDBFF]$/.test(piece))).toEqual([]);
  });

  it('is cut behind a line, else behind a blank', () => {
    expect(piecesOf('a line\n'.repeat(1_000), 1)[0]?.endsWith('\n')).toBe(true);
    expect(piecesOf('word '.repeat(1_000), 1)[0]?.endsWith(' ')).toBe(true);
  });

  it('is taken up to about what is asked for', () => {
    expect(piecesOf('a'.repeat(50_000), 20_000).join('').length).toBe(20_000);
  });
});
