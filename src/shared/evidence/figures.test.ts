import { expect, it } from 'vitest';
import { aJobFigures } from '../../../test/helpers/jobFigures.ts';
import { sumsOf } from './document.ts';
import { agrees, differenceNano, type JobFigures, overchargeNano } from './figures.ts';

const price = (nano: number, lowNano = nano) => ({ nano: nano * 1e9, lowNano: lowNano * 1e9 });
const figures = (rest: Partial<JobFigures>) => aJobFigures({ ordered: price(1.6), due: price(1.6), ...rest });

const { due: _, ...notDelivered } = figures({ outcome: 'canceled' });
const stated = (dollars: number) => ({ nano: dollars * 1e9, by: 'usage.cost', as: '' });

it.each<[string, JobFigures, number]>([
  ['billed less than was ordered', figures({ billedNano: 0.4e9 }), -1.2e9],
  ['billed at the lower reading of an open price', figures({ due: price(1.6, 0.4), billedNano: 0.4e9 }), -1.2e9],
  ['billed more', figures({ billedNano: 2e9 }), 0.4e9],
  ['billed less, and not delivered', { ...notDelivered, billedNano: 0.4e9 }, -1.2e9],
  ['not on the bill, although it was made', figures({ billedNano: 0 }), -1.6e9],
  ['stated below every reading', figures({ due: price(1.6, 0.4), stated: stated(0.1) }), -1.5e9],
])('%s is a difference', (_name, job, difference) => {
  expect(differenceNano(job)).toBe(difference);
  expect(agrees(job)).toBe(false);
  expect(sumsOf([{ figures: job }]).differ).toBe(1);
  expect(overchargeNano(job)).toBe(Math.max(0, difference));
});

it.each<[string, JobFigures]>([
  ['as it was ordered', figures({ billedNano: 1.6e9 })],
  ['at a stated reading of an open price', figures({ due: price(1.6, 0.4), stated: stated(0.4) })],
  ['on no bill yet', figures({})],
  ['not delivered, and billed nothing', { ...notDelivered, billedNano: 0 }],
])('%s is none', (_name, job) => expect(agrees(job)).toBe(true));
