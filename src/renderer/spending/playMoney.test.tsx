import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../test/labels.ts';
import type { Budget } from '../../shared/ledger.ts';
import { SANDBOX_PROFILE_ID } from '../../shared/profile.ts';
import { useStudio } from '../app/index.ts';
import { aJob, byText, fakeStudio, show } from '../testing/page.tsx';
import { PlayMoney, type PriceNow, PriceOfJob, PriceRow } from './index.ts';

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

it('under a price of the sandbox it says play money, exact, not settled or unknown', async () => {
  for (const now of [priceNow(50_000_000), priceNow(1_600_000_000, 400_000_000), priceNow(0, 0, 1)])
    expect(await shownText(<PriceRow what="1 take" now={now} kind="video" />)).toContain(
      labels.playMoneyNobodyIsBilled,
    );
});

it('under a price of a real gateway it does not, and says what is reserved', async () => {
  useStudio.setState({ activeProfileId: 'real' });
  const text = await shownText(<PriceRow what="1 take" now={priceNow(1_600_000_000, 400_000_000)} kind="video" />);
  expect(text).not.toContain('lay money');
  expect(text).toContain('The dearer is reserved');
});

it('what is left of today stands beside it, of the side that pays only', async () => {
  useStudio.setState({ budgets: [DAY as unknown as Budget] });
  const now = priceNow(1_000_000_000);
  expect(await shownText(<PriceRow what="1 take" now={now} kind="video" />)).toMatch(/billed.*\$4\.00.*after/);
  expect(await shownText(<PriceRow what="1 take" now={now} kind="video" profileId="real" />)).not.toContain('$4.00');
});

it('nothing is said before there is a price', async () => {
  const now: PriceNow = { price: undefined, shown: undefined, off: 'The price is being read.', hasFailed: false };
  expect(await shownText(<PriceRow what="1 take" now={now} kind="video" />)).not.toContain('lay money');
});

it('a job of the sandbox is paid in play money whatever profile is active, and a real one never', async () => {
  useStudio.setState({ activeProfileId: 'real' });
  const play = aJob({ profileId: SANDBOX_PROFILE_ID });
  expect(await shownText(<PriceOfJob job={play} what="It" />)).toContain(labels.playMoney);
  useStudio.setState({ activeProfileId: SANDBOX_PROFILE_ID });
  expect(await shownText(<PriceOfJob job={aJob({ profileId: 'real' })} what="It" />)).not.toContain('lay money');
});

it('in one line with its button it is two quiet words beside the figure', async () => {
  await show(
    <button type="button">
      Redo 4 <span className="price">$0.40</span>
      <PlayMoney />
    </button>,
  );
  expect(byText('Redo 4').textContent).toBe('Redo 4 $0.40 play money');
});
