import { expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { ANY_DATE, faultOf, ledgerTimesOf, timesOf, wordsOfDates } from './dates.ts';

const NOW = new Date(2026, 10, 21, 15, 30).getTime();
const day = (month: number, date: number) => new Date(2026, month - 1, date).getTime();

const JANUARY = new Date(2027, 0, 5).getTime();

it.each([
  ['any', NOW, {}],
  ['today', NOW, { from: day(11, 21) }],
  ['week', NOW, { from: day(11, 15) }],
  ['month', NOW, { from: day(11, 1) }],
  ['lastMonth', NOW, { from: day(10, 1), to: day(11, 1) }],
  ['lastMonth', JANUARY, { from: day(12, 1), to: day(13, 1) }],
  ['year', NOW, { from: day(1, 1) }],
] as const)('%s begins with a local day, and has no end where it is of the present', (span, now, times) => {
  expect(timesOf({ ...ANY_DATE, span }, now)).toEqual(times);
});

it('for the ledger, spans of the present end with their day, month or year', () => {
  const lastDay = new Date(2026, 11, 31, 23).getTime();
  const next = new Date(2027, 0, 1).getTime();
  for (const span of ['today', 'week', 'month', 'year'] as const) {
    const choice = { ...ANY_DATE, span };
    expect(ledgerTimesOf(choice, lastDay)).toEqual({ ...timesOf(choice, lastDay), to: next });
  }
  expect(ledgerTimesOf({ ...ANY_DATE, span: 'today' }, NOW)).toEqual({ from: day(11, 21), to: day(11, 22) });
  expect(ledgerTimesOf({ ...ANY_DATE, span: 'month' }, NOW)).toEqual({ from: day(11, 1), to: day(12, 1) });
  for (const span of ['any', 'lastMonth', 'own'] as const) {
    const choice = { ...ANY_DATE, span, from: '2026-11-19' };
    expect(ledgerTimesOf(choice, NOW)).toEqual(timesOf(choice, NOW));
  }
});

it('both days of an own span are inside, whatever the clocks do between them', () => {
  expect(timesOf({ span: 'own', from: '2026-11-19', to: '2026-11-20' }, NOW)).toEqual({
    from: day(11, 19),
    to: day(11, 21),
  });
  expect(timesOf({ span: 'own', from: '', to: '2026-10-31' }, NOW)).toEqual({ to: day(11, 1) });
  expect(timesOf({ span: 'own', from: '', to: '' }, NOW)).toEqual({});
});

it('says when the last day is before the first', () => {
  expect(faultOf({ span: 'own', from: '2026-11-20', to: '2026-11-19' })).toBe(labels.theLastDayIsBefore);
  expect(faultOf({ span: 'own', from: '2026-11-20', to: '2026-11-20' })).toBeUndefined();
});

it('a heading names the span', () => {
  const words = (choice: Partial<typeof ANY_DATE>) => wordsOfDates({ ...ANY_DATE, ...choice }, NOW);
  expect(words({})).toBe('All time');
  expect(words({ span: 'month' })).toBe('November');
  expect(words({ span: 'lastMonth' })).toBe('October');
  expect(wordsOfDates({ ...ANY_DATE, span: 'lastMonth' }, JANUARY)).toBe('December');
  expect(words({ span: 'own', from: '2026-11-01', to: '2026-11-20' })).toBe('1 Nov 2026 to 20 Nov 2026');
  expect(words({ span: 'own', to: '2026-11-20' })).toBe('Until 20 Nov 2026');
  expect(words({ span: 'own' })).toBe('All time');
});
