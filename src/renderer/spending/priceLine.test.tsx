import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { SANDBOX_PROFILE_ID } from '../../shared/gateway/profile.ts';
import type { Budget } from '../../shared/money/ledger.ts';
import { useStudio } from '../app/index.ts';
import { aJob, fakeStudio, show } from '../testing/page.tsx';
import { type PriceNow, PriceOfJob, PriceRow } from './index.ts';

const priceNow = (nano: number, lowNano = nano, unpriced = 0): PriceNow => {
  const shown = { estimateNano: nano, lowNano, unpriced };
  const price = { ...shown, items: [], settled: nano === lowNano };
  return { price, shown, off: undefined, hasFailed: false };
};
const DAY = { scope: 'day', hardNano: 5_000_000_000, used: { settledNano: 0, reservedNano: 0, uncertainNano: 0 } };

const shownText = async (node: React.ReactNode): Promise<string> => (await show(node)).textContent ?? '';

beforeEach(() => {
  fakeStudio({});
  useStudio.setState({ profiles: [], activeProfileId: SANDBOX_PROFILE_ID, budgets: [] });
});

it('under a price of the sandbox it says test money, exact, not settled or unknown', async () => {
  for (const now of [priceNow(50_000_000), priceNow(1_600_000_000, 400_000_000), priceNow(0, 0, 1)])
    expect(await shownText(<PriceRow what="1 take" now={now} kind="video" />)).toContain(labels.testMoney);
});

it('under a price of a real gateway it says real money, and the higher price', async () => {
  useStudio.setState({ activeProfileId: 'real' });
  const text = await shownText(<PriceRow what="1 take" now={priceNow(1_600_000_000, 400_000_000)} kind="video" />);
  expect(text).toContain('Real money');
  expect(text).toContain('up to $1.60');
  expect(text).not.toContain(labels.testMoney);
});

it('what is left of today stands beside it, of the side that pays only', async () => {
  useStudio.setState({ budgets: [DAY as unknown as Budget] });
  const now = priceNow(1_000_000_000);
  expect(await shownText(<PriceRow what="1 take" now={now} kind="video" />)).toContain('$5.00 left');
  expect(await shownText(<PriceRow what="1 take" now={now} kind="video" profileId="real" />)).not.toContain('$5.00');
});

it('a job of the sandbox is paid in test money whatever profile is active, and a real one never', async () => {
  useStudio.setState({ activeProfileId: 'real' });
  const play = aJob({ profileId: SANDBOX_PROFILE_ID });
  expect(await shownText(<PriceOfJob job={play} what="This job" />)).toContain(labels.testMoney);
  useStudio.setState({ activeProfileId: SANDBOX_PROFILE_ID });
  expect(await shownText(<PriceOfJob job={aJob({ profileId: 'real' })} what="This job" />)).toContain('Real money');
});

it.each([
  [4, '$1.00 over today’s budget'],
  // No new day makes room for it.
  [6, 'Above the daily budget of $5.00. Change budget'],
])('a price of $%d over the budget says %s', async (dollars, words) => {
  const used = { ...DAY.used, settledNano: 2_000_000_000 };
  useStudio.setState({ budgets: [{ ...DAY, used } as unknown as Budget] });
  const text = await shownText(<PriceRow what="1 take" now={priceNow(dollars * 1e9)} kind="video" />);
  expect(text).toContain(words);
});
