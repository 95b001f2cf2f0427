import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, parseJson, parsePartialJson } from './parse.ts';

test.each<[string, Json | undefined]>([
  ['{"id":"video_68","object":"vi', { id: 'video_68' }],
  ['{"id":"video_68","object":"video"', { id: 'video_68', object: 'video' }],
  ['{"code":1,"result":"1320', { code: 1 }],
  ['{"code":1,"result":1320', { code: 1 }],
  ['{"data":{"task_id":"t-1","status":"qu', { data: { task_id: 't-1' } }],
  ['{"data":{"task_id":"t-1"},"mess', { data: { task_id: 't-1' } }],
  ['[{"task_id":"t, {1}\\"","x', [{ task_id: 't, {1}"' }]],
  ['{"a":"x', undefined],
  ['"3f2504', undefined],
  ['98765', undefined],
  ['', undefined],
])('%s', (text, expected) => {
  expect(parsePartialJson(text)).toEqual(expected);
});

/** Every text and number of `part` is at the same position in `whole`, so nothing was invented or truncated. */
function isPartOf(part: Json, whole: Json | undefined): boolean {
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null) return false;
  const inside = new Map(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => isPartOf(value, inside.get(name)));
}

test('for any cut at any place, every value read is in the complete document', () => {
  const document = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 });
  fc.assert(
    fc.property(document, fc.nat(), (whole, at) => {
      const text = JSON.stringify(whole);
      const part = parsePartialJson(text.slice(0, at % text.length));
      expect(part === undefined || isPartOf(part, parseJson(text))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
