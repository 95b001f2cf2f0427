import { expect, test } from 'vitest';
import type { PlannedShot } from './plan.ts';
import { shotListCsv } from './timelines/documents.ts';

const costsOf = (money: object) => {
  const shot = {
    id: 'a',
    title: '',
    prompt: '',
    source: 'text',
    model: 'm',
    config: {},
    referenceImages: [],
    takes: [],
  };
  const request = { kind: 'video', model: 'm', prompt: '', config: {} };
  const sums = { chargedNano: 0, chargedLowNano: 0, uncertainNano: 0, ...money };
  const active = { number: 1, job: { request, money: sums } };
  const planned = { segment: { number: 1, shotId: 'a' }, of: { shot, active } } as unknown as PlannedShot;
  return shotListCsv([planned], new Map()).split('\r\n')[1]?.split(',').slice(-3);
};

test('an unknown price leaves its cells empty', () => {
  expect(costsOf({ unpriced: true })).toEqual(['', '', '']);
  expect(costsOf({})).toEqual(['0.000000000', '0.000000000', '0.000000000']);
  expect(costsOf({ unpriced: true, chargedNano: 4e8, chargedLowNano: 4e8 })).toEqual([
    ...['0.400000000', '0.400000000'],
    '',
  ]);
});
