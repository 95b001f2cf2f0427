import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { windowOf, windowWithEnd } from './runHours.ts';

/** In Berlin the clock goes from 02:00 to 03:00 on 29 March 2026 and from 03:00 to 02:00 on 25 October 2026. */
const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();
function hours(plan: { start: string; end: string; date?: string }, now: string): string[] {
  const window = windowOf(plan, at(now));
  if (!window.ok) throw new Error(window.error.message);
  return [iso(window.data.startsAt), iso(window.data.endsAt)];
}

const NIGHT = { start: '23:00', end: '07:00' };

test.each([
  ['in the evening, tonight', '2026-11-21T20:00+01:00', ['2026-11-21T22:00:00.000Z', '2026-11-22T06:00:00.000Z']],
  [
    'after midnight, the one that is open',
    '2026-11-22T01:00+01:00',
    ['2026-11-21T22:00:00.000Z', '2026-11-22T06:00:00.000Z'],
  ],
  ['in the morning, the next one', '2026-11-22T07:00+01:00', ['2026-11-22T22:00:00.000Z', '2026-11-23T06:00:00.000Z']],
])('a window over midnight, asked for %s', (_when, now, expected) => {
  expect(hours(NIGHT, now)).toEqual(expected);
});

test('a window inside a day, and one on a given day', () => {
  expect(hours({ start: '01:00', end: '05:00' }, '2026-11-21T20:00+01:00')).toEqual([
    '2026-11-22T00:00:00.000Z',
    '2026-11-22T04:00:00.000Z',
  ]);
  expect(hours({ ...NIGHT, date: '2026-12-31' }, '2026-11-21T20:00+01:00')[0]).toBe('2026-12-31T22:00:00.000Z');
});

describe('a change of the clock', () => {
  test('a night over it is an hour shorter or longer', () => {
    const length = (date: string) => {
      const [from = '', to = ''] = hours({ ...NIGHT, date }, '2026-01-01T00:00Z');
      return (at(to) - at(from)) / 3_600_000;
    };
    expect(length('2026-03-28')).toBe(7);
    expect(length('2026-10-24')).toBe(9);
    expect(length('2026-11-24')).toBe(8);
  });

  test('a start that is skipped is the moment of the change', () => {
    const [from] = hours({ start: '02:30', end: '05:00', date: '2026-03-29' }, '2026-01-01T00:00Z');
    expect(from).toBe('2026-03-29T01:00:00.000Z');
  });

  test('a time that comes twice is the first of the two', () => {
    const [from, to] = hours({ start: '02:15', end: '02:45', date: '2026-10-25' }, '2026-01-01T00:00Z');
    expect([from, to]).toEqual(['2026-10-25T00:15:00.000Z', '2026-10-25T00:45:00.000Z']);
  });

  test('a window that the change swallows is refused on its day and passed over without one', () => {
    const swallowed = { start: '02:00', end: '03:00' };
    expect(windowOf({ ...swallowed, date: '2026-03-29' }, at('2026-03-28T20:00+01:00'))).toMatchObject({
      error: { data: { field: 'end' } },
    });
    expect(hours(swallowed, '2026-03-28T20:00+01:00')).toEqual([
      '2026-03-30T00:00:00.000Z',
      '2026-03-30T01:00:00.000Z',
    ]);
  });
});

test.each([
  ['in the afternoon', '2026-11-21T14:05:30+01:00', '2026-11-22T06:00:00.000Z'],
  ['after midnight', '2026-11-21T02:00+01:00', '2026-11-21T06:00:00.000Z'],
])('a window from now on begins now, whatever its days, and ends with its hours: %s', (_when, now, ends) => {
  const window = windowOf({ ...NIGHT, days: [1], startsNow: true }, at(now));
  expect(window).toEqual({ ok: true, data: { startsAt: at(now), endsAt: at(ends) } });
  // Changed once it is open, as by another cap, it has the same hours.
  if (window.ok) expect(windowWithEnd(window.data, NIGHT, at(now) + 60_000)).toEqual(window);
});

test.each([
  ['startsNow', { ...NIGHT, date: '2026-11-22', startsNow: true }],
  ['end', { start: '23:00', end: '23:00' }],
  ['end', { start: '23:00', end: '20:00', startsNow: true }],
  ['date', { ...NIGHT, date: '2026-02-30' }],
  ['date', { ...NIGHT, date: '2026-11-01' }],
])('what is no window is refused and names the field: %s', (field, plan) => {
  expect(windowOf(plan, at('2026-11-21T20:00+01:00'))).toMatchObject({ ok: false, error: { data: { field } } });
});

test('a window that was started by hand may end at the hour of its plan, unless its days open by that', () => {
  const run = { startsAt: at('2026-11-21T14:00+01:00'), endsAt: at('2026-11-22T07:00+01:00') };
  const plan = { start: '23:00', end: '23:00' };
  const endsAt = at('2026-11-21T23:00+01:00');
  expect(windowOf({ ...plan, startsNow: true }, run.startsAt)).toMatchObject({ data: { endsAt } });
  expect(windowWithEnd(run, plan, run.startsAt + 60_000)).toMatchObject({ data: { endsAt } });
  const again = { ...plan, days: [1] };
  expect(windowOf({ ...again, startsNow: true }, run.startsAt)).toMatchObject({ error: { data: { field: 'end' } } });
  expect(windowWithEnd(run, again, run.startsAt + 60_000)).toMatchObject({ error: { data: { field: 'end' } } });
});

test('a window that has begun keeps its start; its end may move, but not into the past', () => {
  const begun = { startsAt: at('2026-11-21T23:00+01:00'), endsAt: at('2026-11-22T07:00+01:00') };
  const now = at('2026-11-22T02:00+01:00');
  expect(windowWithEnd(begun, { start: '23:00', end: '05:00' }, now)).toEqual({
    ok: true,
    data: { startsAt: begun.startsAt, endsAt: at('2026-11-22T05:00+01:00') },
  });
  expect(windowWithEnd(begun, { start: '23:00', end: '01:00' }, now)).toMatchObject({
    error: { data: { field: 'end' } },
  });
  expect(windowWithEnd(begun, { start: '23:00', end: '23:00' }, now)).toMatchObject({
    error: { data: { field: 'end' } },
  });
});
