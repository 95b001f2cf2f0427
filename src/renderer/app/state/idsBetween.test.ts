import { expect, test } from 'vitest';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { idsBetween } from './idsBetween.ts';

const before = Array.from({ length: 1_000 }, (_, n) => `a${n}`);
const come = (count: number): string[] => Array.from({ length: count }, (_, n) => `new${n}`);

/** A list that was read as `before`; its first `upTo` places have been read again. */
function listOf(now: readonly string[], upTo: number, isRead = (_offset: number) => true) {
  const list = { at: (at: number) => ({ id: (at < upTo ? now : before)[at] ?? '' }), isNew: (at: number) => at < upTo };
  const reads: number[] = [];
  const read = async (offset: number, limit: number): Promise<Result<string[]>> => {
    reads.push(limit);
    return isRead(offset) ? ok(now.slice(offset, offset + limit)) : fail('internal', 'It cannot be read.');
  };
  const between = (first: [number, string?], last: [number, string?]) =>
    idsBetween(list, read, { first: { at: first[0], id: first[1] }, last: { at: last[0], id: last[1] } });
  return { between, reads };
}

test('what was read since the last change is not read again', async () => {
  const { between, reads } = listOf(before, 100);
  expect(await between([3, 'a3'], [5, 'a5'])).toEqual(ok(['a3', 'a4', 'a5']));
  expect(reads).toEqual([]);
});

test.each<[string, string[], [number, string?], [number, string?], string[]]>([
  ['came above both', [...come(50), ...before], [0, 'new0'], [450, 'a450'], [...come(50), ...before.slice(0, 451)]],
  ['came above the first', [...come(50), ...before], [10, 'a10'], [500, 'a450'], before.slice(10, 451)],
  ['left above the last', before.slice(30), [0, 'a30'], [450, 'a450'], before.slice(30, 451)],
  ['left above the first', before.slice(30), [200, 'a200'], [300, 'a330'], before.slice(200, 331)],
  ['left, the last of them too', before.slice(0, 400), [300, 'a300'], [450, 'a450'], before.slice(300, 400)],
  ['came, and the range has the end of the list', [...come(50), ...before], [900, 'a900'], [1_049], before.slice(900)],
  [
    'came, and it has its beginning',
    [...come(50), ...before],
    [0],
    [150, 'a150'],
    [...come(50), ...before.slice(0, 151)],
  ],
])('things that have %s since are reckoned with', async (_what, now, first, last, expected) => {
  expect(await listOf(now, 100).between(first, last)).toEqual(ok(expected));
});

const movedTo = (id: string, at: number): string[] => before.filter((one) => one !== id).toSpliced(at, 0, id);

test.each<[string, string[], string[]]>([
  ['the last is in front of the range', movedTo('a300', 2), ['a300', ...before.slice(2, 11)]],
  ['the last is in front within it', movedTo('a300', 10), ['a300', 'a10']],
  ['the first is behind it', movedTo('a10', 500), [...before.slice(300, 501), 'a10']],
])('ends that have changed places: %s', async (_what, now, expected) => {
  expect(await listOf(now, 0).between([10, 'a10'], [300, 'a300'])).toEqual(ok(expected));
});

test.each([0, 500, 1_000])('where place %i cannot be read, nothing is chosen', async (place) => {
  const now = [...come(600), ...before];
  const list = listOf(now, 0, (offset) => offset !== place);
  expect(await list.between([0, 'new0'], [999, 'a900'])).toMatchObject({ ok: false });
});
