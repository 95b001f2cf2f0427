import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { useStudio } from '../../../app/index.ts';
import type { CallInput } from '../../../client/index.ts';
import { textOf } from '../../../testing/find.ts';
import { aJob, byText, click, press, showOver, until } from '../../../testing/page.tsx';
import { useImages } from '../useImages.ts';
import { ImaginePanel } from './ImaginePanel.tsx';

const EACH = 50_000_000;

async function open(prompt: string) {
  useImages.setState({ prompt, mode: 'fast', leftOut: { prompt: '', indexes: new Set() } });
  const orders: CallInput<'jobs.enqueue'>[] = [];
  await showOver(<ImaginePanel shownJob={undefined} />, {
    'ledger.estimate': ({ quantities = [] }) => {
      const nano = quantities.length * EACH;
      return { items: [], settled: true, estimateNano: nano, lowNano: nano, unpriced: 0 };
    },
    'jobs.enqueue': (order) => {
      orders.push(order);
      return { jobs: order.requests.map((request, at) => aJob({ id: `job_${at}`, request })) };
    },
  });
  return orders;
}

const cells = () => [...document.querySelectorAll<HTMLElement>(':is(.matrix .cell, .axisCell)')];
const isIn = () => cells().map((cell) => cell.getAttribute('aria-pressed') === 'true');
const price = () => textOf('.sendbar .price');
const focused = () => document.activeElement as HTMLElement;
const focusedName = () => focused().getAttribute('aria-label');

beforeEach(() => useStudio.setState({ profiles: [], projects: [] }));

it('of one choice, what is left out is neither priced nor sent', async () => {
  const orders = await open('Quay in {rain|fog|snow} --ar 16:9');
  expect(cells().map(({ textContent }) => textContent)).toEqual([
    'Quay in rain --ar 16:9',
    'Quay in fog --ar 16:9',
    'Quay in snow --ar 16:9',
  ]);
  cells()[0]?.focus();
  await press('ArrowDown', {}, cells()[0]);
  expect(focused()).toBe(cells()[1]);
  await click(focused());
  await until(() => expect(price()).toBe('$0.10'));
  await click(byText(labels.makeImages(2)));
  await until(() => expect(orders).toHaveLength(1));
  expect(orders[0]?.requests).toMatchObject([
    { prompt: 'Quay in rain --ar 16:9' },
    { prompt: 'Quay in snow --ar 16:9' },
  ]);
});

it('two choices are rows and columns; the rest is one order', async () => {
  const orders = await open('Quay in {rain|fog}, {a|b} --ar 16:9');
  await until(() => expect(price()).toBe('$0.20'));
  expect(cells().map((cell) => cell.getAttribute('aria-label'))).toEqual([
    'Quay in rain, a --ar 16:9',
    'Quay in rain, b --ar 16:9',
    'Quay in fog, a --ar 16:9',
    'Quay in fog, b --ar 16:9',
  ]);
  cells()[0]?.focus();
  await press('ArrowRight', {}, focused());
  expect(focused()).toBe(cells()[1]);
  await click(focused());
  expect(isIn()).toEqual([true, false, true, true]);
  await until(() => expect(price()).toBe('$0.15'));
  await click(byText(labels.makeImages(3)));
  await until(() => expect(orders).toHaveLength(1));
  const [order] = orders;
  expect(order).toMatchObject({ requestKey: expect.any(String), shown: { estimateNano: 3 * EACH } });
  expect(order?.requests.map((request) => 'prompt' in request && request.prompt)).toEqual([
    'Quay in rain, a --ar 16:9',
    'Quay in fog, a --ar 16:9',
    'Quay in fog, b --ar 16:9',
  ]);
});

it('a heading leaves out its row or column and takes it in again; headings of a third choice are nested', async () => {
  await open('{rain|fog} {a|b} {1|2}');
  cells()[1]?.focus();
  const walk: (string | null)[] = [];
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
    await press(key, {}, focused());
    walk.push(focusedName());
  }
  expect(walk).toEqual([
    labels.allWith(2),
    labels.allWith('a'),
    'All with b',
    labels.allWith(1),
    'rain b 1',
    'fog b 1',
  ]);
  expect(document.querySelectorAll('.axisGrid [tabindex="0"]')).toHaveLength(1);
  await click(byText('All with b', '.axisHead'));
  expect(isIn()).toEqual([true, true, false, false, true, true, false, false]);
  await click(byText(labels.allWith('rain'), '.axisHead'));
  expect(isIn()).toEqual([false, false, false, false, true, true, false, false]);
  await until(() => expect(price()).toBe('$0.10'));
  await click(byText(labels.allWith('rain'), '.axisHead'));
  expect(isIn()).toEqual([true, true, true, true, true, true, false, false]);
});

it('braces that are escaped are one prompt', async () => {
  const orders = await open(String.raw`A sign \{a|b\}`);
  expect(cells()).toEqual([]);
  await until(() => expect(price()).toBe('$0.05'));
  await click(byText(labels.makeImages(1)));
  await until(() => expect(orders).toHaveLength(1));
  expect(orders[0]?.requests).toMatchObject([{ prompt: 'A sign {a|b}' }]);
});

it.each([
  ['{0|1}'.repeat(10), 'Prompt: makes 1,024 prompts; at most 1,000 are made of one text.'],
  ['{a|}', 'Describe the picture.'],
])('%s is refused before anything is sent', async (prompt, why) => {
  await open(prompt);
  await until(() => expect(textOf('.sendbar .why')).toBe(why));
});

it('seeds in the words are an axis', async () => {
  await open('Quay in {rain|fog}');
  useImages.setState({ prompt: 'Quay in {rain|fog} --seed {7|8|9}' });
  await until(() => expect(cells()).toHaveLength(6));
  expect(cells()[1]?.getAttribute('aria-label')).toBe('Quay in rain --seed 8');
});
