import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { CallParts } from './callParts.ts';

const refused = (field: string) => ({ ok: false, error: { code: 'invalid_input', data: { field } } });
const part = (id: string, whole: string, at: number, to: number) => ({
  id,
  call: 'chat.send',
  at,
  of: whole.length,
  text: whole.slice(at, to),
});

test('parts become the call that was cut, and two calls at once are not mixed', () => {
  const parts = new CallParts();
  const [one, other] = [JSON.stringify({ text: 'a'.repeat(40) }), JSON.stringify({ text: '😀b' })];
  const [first, second] = [randomUUID(), randomUUID()];
  expect(parts.add(part(first, one, 0, 30))).toEqual({ ok: true, data: null });
  // Between the halves of one character.
  const middle = other.indexOf('😀') + 1;
  expect(parts.add(part(second, other, 0, middle))).toEqual({ ok: true, data: null });
  expect(parts.add(part(first, one, 30, 99))).toEqual({
    ok: true,
    data: { name: 'chat.send', input: JSON.parse(one) },
  });
  expect(parts.add(part(second, other, middle, 99))).toEqual({
    ok: true,
    data: { name: 'chat.send', input: { text: '😀b' } },
  });
});

test('what does not follow, or is no JSON, is refused and forgotten', () => {
  const parts = new CallParts();
  const id = randomUUID();
  const whole = '{"text":"abc"}';
  expect(parts.add(part(id, whole, 5, 9))).toMatchObject(refused('at'));
  parts.add(part(id, whole, 0, 5));
  expect(parts.add(part(id, whole, 6, 99))).toMatchObject(refused('at'));
  expect(parts.add(part(id, whole, 5, 99))).toMatchObject(refused('at'));
  expect(parts.add(part(id, '{nonsense', 0, 99))).toMatchObject(refused('text'));
  expect(parts.add({ ...part(id, whole, 0, 5), of: 2_000_001 })).toMatchObject(refused('of'));
  expect(parts.add({ ...part(id, whole, 0, 0) })).toMatchObject(refused('text'));
});

/** Otherwise a page that starts calls and finishes none would fill the memory. */
test('of calls that are never ended the oldest are let go', () => {
  const parts = new CallParts();
  const whole = '{"text":"abc"}';
  const ids = Array.from({ length: 9 }, () => randomUUID());
  for (const id of ids) parts.add(part(id, whole, 0, 5));
  expect(parts.add(part(ids[0] ?? '', whole, 5, 99))).toMatchObject(refused('at'));
  expect(parts.add(part(ids[8] ?? '', whole, 5, 99))).toMatchObject({ ok: true });
});
