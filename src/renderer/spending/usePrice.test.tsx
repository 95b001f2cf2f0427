import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { useCall, useEntities, useStudio } from '../app/index.ts';
import type { CallOutput } from '../client/index.ts';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../testing/page.tsx';
import { PriceRow } from './PriceLine.tsx';
import { SpendBar } from './SpendBar.tsx';
import { SpendAgainDialog } from './SpendDialog.tsx';
import { usePrice } from './usePrice.ts';

type Price = CallOutput<'ledger.estimate'>;

/** Answers no price before the test says so. */
function slowPrices() {
  const asked: ((answer: Result<Price>) => void)[] = [];
  const studio = fakeStudio({ 'ledger.estimate': () => new Promise<Result<Price>>((done) => asked.push(done)) });
  const answer = (value: Result<Price>) => acting(() => asked.at(-1)?.(value));
  return {
    studio,
    isAsked: (times: number) => until(() => expect(asked).toHaveLength(times)),
    isRefused: answer,
    isPriced: (nano: number, unpriced = 0) =>
      answer(ok({ items: [], estimateNano: nano, lowNano: nano, settled: true, unpriced })),
  };
}

const sent: (number | string)[] = [];

/** A clip whose length can be changed, as beside a shot. */
function Clip() {
  const [durationSeconds, setSeconds] = useState<4 | 8>(4);
  const now = usePrice({ kind: 'video', model: 'video-standard', quantity: { seconds: durationSeconds, videos: 1 } });
  return (
    <>
      <button type="button" onClick={() => setSeconds(8)}>
        8 seconds
      </button>
      <SpendBar label="Make it" off={now.off} onSend={async () => void sent.push(durationSeconds) as undefined}>
        <PriceRow what="1 clip" now={now} kind="video" />
      </SpendBar>
    </>
  );
}

/** A clip whose first price is asked for, and is there where it is given. */
async function openClip(nano?: number) {
  const prices = slowPrices();
  await show(<Clip />);
  await prices.isAsked(1);
  if (nano !== undefined) await prices.isPriced(nano);
  return prices;
}

const spend = () => press('Enter', { ctrlKey: true });
const price = () => document.querySelector('.price')?.textContent;
const why = () => document.querySelector('.why')?.textContent;
/** Neither an earlier price nor a way to spend is there. */
const isHeld = async () => {
  expect(price()).toBeUndefined();
  await spend();
  expect(sent).toEqual([]);
};

beforeEach(() => {
  sent.length = 0;
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], activeProfileId: undefined });
});

describe('an order is sent beside its own price only', () => {
  it('nothing is sent before the first price has come', async () => {
    const { isPriced } = await openClip();
    await isHeld();
    await click(byText('Make it'));
    expect([sent, why()]).toEqual([[], labels.thePriceIsBeingRead]);
    await isPriced(400_000_000);
    expect(price()).toBe('$0.40');
    await spend();
    expect(sent).toEqual([4]);
  });

  it('nothing is sent at the price of a shorter clip, and that price is not shown', async () => {
    const { isAsked, isPriced } = await openClip(400_000_000);
    await click(byText('8 seconds'));
    await isHeld();
    await isAsked(2);
    await isPriced(800_000_000);
    expect(price()).toBe('$0.80');
    await spend();
    expect(sent).toEqual([8]);
  });

  it('a price that could not be read says why, and is not the earlier one', async () => {
    const { isAsked, isRefused } = await openClip(400_000_000);
    await click(byText('8 seconds'));
    await isAsked(2);
    await isRefused(fail('internal', 'The ledger cannot be read.'));
    expect(why()).toBe('The ledger cannot be read.');
    await isHeld();
  });

  it('the price of another profile is another price', async () => {
    useStudio.setState({ profiles: [{ id: 'p' }, { id: 'q' }] as never, activeProfileId: 'p' });
    await openClip(400_000_000);
    await acting(() => useStudio.setState({ activeProfileId: 'q' }));
    await isHeld();
  });

  it('an answer that the price is not known lets it be sent, with its words', async () => {
    const { isPriced } = await openClip();
    await isPriced(0, 1);
    expect(document.body.textContent).toContain('Not part of your totals');
    await spend();
    expect(sent).toEqual([4]);
  });
});

describe('a price that has been edited', () => {
  it('counts no more from the moment it is told, until the new one is there', async () => {
    const { studio, isAsked, isPriced } = await openClip(400_000_000);
    await studio.emit({ type: 'profiles.changed' });
    expect(why()).toBe(labels.thePriceIsBeingRead);
    await isHeld();
    await isAsked(2);
    // Edited once more while it was being read: that answer is old, too.
    await studio.emit({ type: 'profiles.changed' });
    await isPriced(500_000_000);
    expect(price()).toBeUndefined();
    await isAsked(3);
    await isPriced(800_000_000);
    expect(price()).toBe('$0.80');
    await spend();
    expect(sent).toEqual([4]);
  });

  it('that may have been edited while the studio was away is read first', async () => {
    const { studio } = await openClip(400_000_000);
    await studio.link('lost');
    await studio.link('up');
    await isHeld();
  });
});

describe('a finished job is ordered again at its price only', () => {
  /** The dialog that asks for its price before it orders anything. */
  const again = async (more: Partial<Job> = {}) => {
    const prices = slowPrices();
    const onSend = async (shown: object | undefined) => void sent.push(JSON.stringify(shown)) as undefined;
    const words = { title: 'Request it again?', label: 'Request it again' };
    await show(
      <SpendAgainDialog job={aJob({ state: 'failed', ...more })} {...words} onSend={onSend} onClose={() => {}}>
        A new job is made.
      </SpendAgainDialog>,
    );
    await prices.isAsked(1);
    expect(prices.studio.callsOf('ledger.estimate')).toEqual([{ jobId: 'job_1' }]);
    await isHeld();
    return prices;
  };
  const messages = [{ role: 'user' as const, content: 'The end of it' }];

  it.each<[string, Partial<Job>]>([
    ['a clip', {}],
    [
      'a long chat, whose words are not on this page',
      { kind: 'chat', requestCut: true, request: { kind: 'chat', model: 'l', messages } },
    ],
  ])('%s', async (_, more) => {
    const { isPriced } = await again(more);
    await isPriced(3_200_000_000);
    expect(price()).toBe('$3.20');
    await spend();
    expect(sent).toEqual([JSON.stringify({ estimateNano: 3_200_000_000, lowNano: 3_200_000_000, unpriced: 0 })]);
  });

  it('not where the price could not be read', async () => {
    const { isRefused } = await again();
    await isRefused(fail('not_found', 'profileId: there is no such gateway.'));
    await isHeld();
    expect(why()).toBe('profileId: there is no such gateway.');
  });
});

it('what could not be read for a new input is not the answer to the old one', async () => {
  fakeStudio({ 'jobs.get': ({ id }) => (id === 'a' ? aJob({ id }) : fail('internal', 'It cannot be read.')) });
  function Shown() {
    const [id, setId] = useState('a');
    const { data, error, stale } = useCall('jobs.get', { id });
    return (
      <button type="button" onClick={() => setId('b')}>
        {stale ? 'reading' : (error?.message ?? '')} {data?.id ?? 'nothing'}
      </button>
    );
  }
  await show(<Shown />);
  await until(() => expect(document.body.textContent).toBe(' a'));
  await click(byText('a'));
  await until(() => expect(document.body.textContent).toBe('It cannot be read. nothing'));
});
