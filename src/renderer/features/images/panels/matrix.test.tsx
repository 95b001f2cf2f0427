import { beforeEach, expect, it } from 'vitest';
import { useStudio } from '../../../app/index.ts';
import type { CallInput } from '../../../client/index.ts';
import { aJob, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { useImages } from '../useImages.ts';
import { ImaginePanel } from './ImaginePanel.tsx';

const EACH = 50_000_000;

async function open(prompt: string) {
  useImages.setState({ prompt, mode: 'fast', leftOut: { prompt: '', indexes: new Set() } });
  const orders: CallInput<'jobs.enqueue'>[] = [];
  fakeStudio({
    'ledger.estimate': ({ quantities = [] }) => {
      const nano = quantities.length * EACH;
      return { items: [], settled: true, estimateNano: nano, lowNano: nano, unpriced: 0 };
    },
    'jobs.enqueue': (order) => {
      orders.push(order);
      return { jobs: order.requests.map((request, at) => aJob({ id: `job_${at}`, request })) };
    },
  });
  await show(<ImaginePanel shownJob={undefined} />);
  return orders;
}

const cells = () => [...document.querySelectorAll<HTMLElement>('.matrix .cell')];
const price = () => document.querySelector('.sendbar .price')?.textContent;

beforeEach(() => useStudio.setState({ profiles: [], projects: [] }));

it('what is left out is neither priced nor sent, and the rest is one order', async () => {
  const orders = await open('Quay in {rain|fog}, {a|b} --ar 16:9');
  await until(() => expect(price()).toBe('$0.20'));
  expect(cells().map(({ textContent }) => textContent)).toEqual([
    'Quay in rain, a --ar 16:9',
    'Quay in rain, b --ar 16:9',
    'Quay in fog, a --ar 16:9',
    'Quay in fog, b --ar 16:9',
  ]);
  cells()[0]?.focus();
  await press('ArrowDown', {}, cells()[0]);
  expect(document.activeElement).toBe(cells()[1]);
  await click(document.activeElement as HTMLElement);
  expect(cells().map((cell) => cell.ariaPressed ?? cell.getAttribute('aria-pressed'))).toEqual([
    'true',
    'false',
    'true',
    'true',
  ]);
  await until(() => expect(price()).toBe('$0.15'));
  await click(byText('Imagine 3'));
  await until(() => expect(orders).toHaveLength(1));
  const [order] = orders;
  expect(order).toMatchObject({ requestKey: expect.any(String), shown: { estimateNano: 3 * EACH } });
  expect(order?.requests.map((request) => 'prompt' in request && request.prompt)).toEqual([
    'Quay in rain, a --ar 16:9',
    'Quay in fog, a --ar 16:9',
    'Quay in fog, b --ar 16:9',
  ]);
});

it('braces that are escaped are one prompt', async () => {
  const orders = await open(String.raw`A sign \{a|b\}`);
  expect(cells()).toEqual([]);
  await until(() => expect(price()).toBe('$0.05'));
  await click(byText('Imagine'));
  await until(() => expect(orders).toHaveLength(1));
  expect(orders[0]?.requests).toMatchObject([{ prompt: 'A sign {a|b}' }]);
});

it.each([
  ['{0|1}'.repeat(10), 'Prompt: makes 1,024 prompts; at most 1,000 are made of one text.'],
  ['{a|}', 'One of the prompts has no words.'],
])('%s is refused before anything is sent', async (prompt, why) => {
  await open(prompt);
  await until(() => expect(document.querySelector('.sendbar .why')?.textContent).toBe(why));
});
