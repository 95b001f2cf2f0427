import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import type { Job } from '../../shared/job.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { useCall, useEntities, useStudio } from '../app/index.ts';
import type { CallOutput } from '../client/index.ts';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../testing/page.tsx';
import { PriceRow } from './PriceRow.tsx';
import { SpendBar } from './SpendBar.tsx';
import { SpendAgainDialog } from './SpendDialog.tsx';
import { usePrice } from './usePrice.ts';

type Price = CallOutput<'ledger.estimate'>;

const priceOf = (nano: number, more: Partial<Price> = {}): Price => ({
  items: [],
  estimateNano: nano,
  lowNano: nano,
  settled: true,
  unpriced: 0,
  ...more,
});

/** Answers no price before the test says so. */
function slowPrices() {
  const asked: ((answer: Result<Price>) => void)[] = [];
  const studio = fakeStudio({
    'ledger.estimate': (() => new Promise<Result<Price>>((done) => asked.push(done))) as never,
    'jobs.retry': () => aJob({ id: 'again' }),
  });
  const answer = (at: number, value: Result<Price>) => acting(() => asked[at]?.(value));
  return { studio, asked, answer };
}

const sent: number[] = [];

/** A clip whose length can be changed, as beside a shot. */
function Clip() {
  const [durationSeconds, setSeconds] = useState<4 | 8>(4);
  const now = usePrice({ kind: 'video', model: 'video-standard', quantity: { seconds: durationSeconds, videos: 1 } });
  const send = async () => {
    sent.push(durationSeconds);
    return undefined;
  };
  return (
    <>
      <button type="button" onClick={() => setSeconds(8)}>
        8 seconds
      </button>
      <SpendBar label="Make it" off={now.off} onSend={send}>
        <PriceRow what="1 clip" now={now} kind="video" />
      </SpendBar>
    </>
  );
}

const spend = () => press('Enter', { ctrlKey: true });
const price = () => document.querySelector('.price')?.textContent;
const why = () => document.querySelector('.why')?.textContent;

beforeEach(() => {
  sent.length = 0;
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], activeProfileId: undefined });
});

describe('an order is sent beside its own price only', () => {
  it('nothing is sent before the first price has come', async () => {
    const { asked, answer } = slowPrices();
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await spend();
    await click(byText('Make it'));
    expect(sent).toEqual([]);
    expect(why()).toBe(labels.thePriceIsBeingRead);
    await answer(0, ok(priceOf(400_000_000)));
    expect(price()).toBe('$0.40');
    await spend();
    expect(sent).toEqual([4]);
  });

  it('nothing is sent at the price of a shorter clip, and that price is not shown', async () => {
    const { asked, answer } = slowPrices();
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, ok(priceOf(400_000_000)));
    await click(byText('8 seconds'));
    expect(price()).toBeUndefined();
    await spend();
    expect(sent).toEqual([]);
    await until(() => expect(asked).toHaveLength(2));
    await answer(1, ok(priceOf(800_000_000)));
    expect(price()).toBe('$0.80');
    await spend();
    expect(sent).toEqual([8]);
  });

  it('a price that could not be read says why, and is not the earlier one', async () => {
    const { asked, answer } = slowPrices();
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, ok(priceOf(400_000_000)));
    await click(byText('8 seconds'));
    await until(() => expect(asked).toHaveLength(2));
    await answer(1, fail('internal', 'The ledger cannot be read.'));
    expect(why()).toBe('The ledger cannot be read.');
    expect(price()).toBeUndefined();
    await spend();
    expect(sent).toEqual([]);
  });

  it('the price of another profile is another price', async () => {
    const { asked, answer } = slowPrices();
    const profiles = [{ id: 'p' }, { id: 'q' }] as never;
    useStudio.setState({ profiles, activeProfileId: 'p' });
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, ok(priceOf(400_000_000)));
    await acting(() => useStudio.setState({ activeProfileId: 'q' }));
    await spend();
    expect(sent).toEqual([]);
  });

  it('an answer that the price is not known lets it be sent, with its words', async () => {
    const { asked, answer } = slowPrices();
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, ok(priceOf(0, { unpriced: 1 })));
    expect(document.body.textContent).toContain('It is counted apart from your sums');
    await spend();
    expect(sent).toEqual([4]);
  });
});

describe('a price that has been edited', () => {
  it('counts no more from the moment it is told, until the new one is there', async () => {
    const { studio, asked, answer } = slowPrices();
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, ok(priceOf(400_000_000)));
    await studio.emit({ type: 'profiles.changed' });
    expect(price()).toBeUndefined();
    expect(why()).toBe(labels.thePriceIsBeingRead);
    await spend();
    expect(sent).toEqual([]);
    await until(() => expect(asked).toHaveLength(2));
    // Edited once more while it was being read: that answer is old, too.
    await studio.emit({ type: 'profiles.changed' });
    await answer(1, ok(priceOf(500_000_000)));
    expect(price()).toBeUndefined();
    await until(() => expect(asked).toHaveLength(3));
    await answer(2, ok(priceOf(800_000_000)));
    expect(price()).toBe('$0.80');
    await spend();
    expect(sent).toEqual([4]);
  });

  it('that may have been edited while the studio was away is read first', async () => {
    const { studio, asked, answer } = slowPrices();
    await show(<Clip />);
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, ok(priceOf(400_000_000)));
    await studio.link('lost');
    await studio.link('up');
    await spend();
    expect(sent).toEqual([]);
  });
});

describe('a finished job is ordered again at its price only', () => {
  const again = async (job: Job) => {
    const retried: string[] = [];
    const onSend = async (shown: object | undefined) => {
      retried.push(job.id);
      expect(shown).toEqual({ estimateNano: 3_200_000_000, lowNano: 3_200_000_000, unpriced: 0 });
      return undefined;
    };
    const dialog = (
      <SpendAgainDialog job={job} title="Request it again?" label="Request it again" onSend={onSend} onClose={() => {}}>
        A new job is made.
      </SpendAgainDialog>
    );
    await show(dialog);
    return retried;
  };

  it('not before the price has come', async () => {
    const { asked, answer } = slowPrices();
    const retried = await again(aJob({ state: 'failed' }));
    await until(() => expect(asked).toHaveLength(1));
    await spend();
    expect(retried).toEqual([]);
    await answer(0, ok(priceOf(3_200_000_000)));
    await spend();
    expect(retried).toEqual(['job_1']);
  });

  it('a long chat too, whose words are not on this page', async () => {
    const { studio, asked, answer } = slowPrices();
    const messages = [{ role: 'user' as const, content: 'The end of it' }];
    const job = aJob({
      kind: 'chat',
      state: 'failed',
      requestCut: true,
      request: { kind: 'chat', model: 'l', messages },
    });
    const retried = await again(job);
    await until(() => expect(asked).toHaveLength(1));
    expect(studio.callsOf('ledger.estimate')).toEqual([{ jobId: 'job_1' }]);
    await spend();
    expect(retried).toEqual([]);
    await answer(0, ok(priceOf(3_200_000_000)));
    expect(price()).toBe('$3.20');
    await spend();
    expect(retried).toEqual(['job_1']);
  });

  it('not where the price could not be read', async () => {
    const { asked, answer } = slowPrices();
    const retried = await again(aJob({ state: 'failed' }));
    await until(() => expect(asked).toHaveLength(1));
    await answer(0, fail('not_found', 'profileId: there is no such profile.'));
    await spend();
    expect(retried).toEqual([]);
    expect(why()).toBe('profileId: there is no such profile.');
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
