import { expect, test } from 'vitest';
import type { BoardContent, Shot } from './board.ts';
import { fieldsOf, fieldsOfThose } from './boardChanges.ts';

const shot = (id: string, more: Partial<Shot> = {}): Shot => ({
  ...{ id, title: '', prompt: '', model: 'm', source: 'text', config: {}, referenceImages: [], takes: [] },
  ...more,
});
const line = (id: string, text: string) => ({ id, text, startMs: 0, endMs: 1_000 });
const member = (id: string, words: string) => ({ id, name: id, kind: 'person' as const, words, sheets: [] });

const before = {
  shots: [shot('a', { subtitles: [line('one', 'sea')] }), shot('b')],
  cast: [member('anna', 'old')],
} satisfies BoardContent;
/** Every change that is more than an edited field. */
const around = (text: string, words: string) =>
  ({
    shots: [
      shot('new'),
      shot('a', { takes: ['t'], removedTakes: ['u'], subtitles: [line('two', ''), line('one', text)] }),
    ],
    cast: [member('ben', ''), member('anna', words)],
  }) satisfies BoardContent;

test('fields of what two states of a board have in common are compared, whatever came, left or moved', () => {
  const edited = (later: BoardContent) => [...(fieldsOf(before, fieldsOfThose(before, later)) ?? ['moved'])];
  expect(fieldsOf(before, around('sea', 'old'))).toBeUndefined();
  expect(edited(around('sea', 'old'))).toEqual([]);
  expect(edited(around('storm', 'old'))).toEqual(['a subtitles one text']);
  expect(edited(around('sea', 'young'))).toEqual(['board cast anna words']);
});
