import { expect, it } from 'vitest';
import { ANY_DATE, faultOf, timesOf } from './dates.ts';

const NOW = new Date(2026, 10, 21, 15, 30).getTime();
const day = (month: number, date: number) => new Date(2026, month - 1, date).getTime();

it('presets begin with a local day and have no end', () => {
  expect(timesOf(ANY_DATE, NOW)).toEqual({});
  expect(timesOf({ ...ANY_DATE, span: 'today' }, NOW)).toEqual({ from: day(11, 21) });
  expect(timesOf({ ...ANY_DATE, span: 'week' }, NOW)).toEqual({ from: day(11, 15) });
  expect(timesOf({ ...ANY_DATE, span: 'month' }, NOW)).toEqual({ from: day(11, 1) });
});

/** Bug: what was made on the last day is missing. */
it('both days of an own span are inside, whatever the clocks do between them', () => {
  expect(timesOf({ span: 'own', from: '2026-11-19', to: '2026-11-20' }, NOW)).toEqual({
    from: day(11, 19),
    to: day(11, 21),
  });
  expect(timesOf({ span: 'own', from: '', to: '2026-10-31' }, NOW)).toEqual({ to: day(11, 1) });
  expect(timesOf({ span: 'own', from: '', to: '' }, NOW)).toEqual({});
});

it('says when the last day is before the first', () => {
  expect(faultOf({ span: 'own', from: '2026-11-20', to: '2026-11-19' })).toBe('The last day is before the first.');
  expect(faultOf({ span: 'own', from: '2026-11-20', to: '2026-11-20' })).toBeUndefined();
});
