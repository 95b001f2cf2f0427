import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import { NO_MONEY, type TotalsRow } from '../../../shared/money/ledger.ts';
import { DEFAULT_PRICES, type Price } from '../../../shared/money/price.ts';
import { navigate, useStudio } from '../../app/index.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { textOf, textsOf } from '../../testing/find.ts';
import { acting, byText, click, clickOn, fakeStudio, show, until } from '../../testing/page.tsx';
import { Chart } from './Chart.tsx';
import { SpendPage } from './SpendPage.tsx';
import { chooseDates } from './side.ts';
import { TotalsTable } from './Totals.tsx';

const profile = (id: string, name: string) => ({ id, name, key: null, builtin: id === 'sandbox' }) as ProfileView;
const sum = { ...NO_MONEY, settledNano: 1e9, settledLowNano: 1e9, unpriced: 3 };

function aStudio(rows: TotalsRow[] = [], answers: Parameters<typeof fakeStudio>[0] = {}) {
  return fakeStudio({
    'ledger.totals': ({ play = false }) => ({ rows, sum, play }),
    'spend.kept': () => ({ rows: [], play: false }),
    'budgets.list': () => ({ budgets: [] }),
    'prices.list': () => ({ prices: [] }),
    'profiles.balance': () => ({ balanceNano: null, at: 0 }),
    ...answers,
  });
}

const asked = (studio: ReturnType<typeof aStudio>) =>
  studio.callsOf('ledger.totals').map((input) => {
    const { play, profileIds } = input as { play?: boolean; profileIds?: string[] };
    return { play, profileIds };
  });

beforeEach(() => {
  chooseDates({ span: 'month', from: '', to: '' });
  window.location.hash = '#/spend';
  useStudio.setState({
    profiles: [profile('sandbox', 'Sandbox'), profile('p', 'Studio'), profile('q', 'Other')],
    activeProfileId: 'p',
    budgets: [],
    moneyRead: true,
    projects: [],
    queue: aQueueStatus({ doubt: { count: 2, nano: 5e9, unpriced: 1 } }),
  });
});

it('counts what has no price apart, and shows the doubt of the status line', async () => {
  aStudio();
  await show(<SpendPage />);
  await until(() => expect(textOf('.head')).toContain('3 jobs without a price'));
  expect(textOf('.head > :last-child')).toBe('Unconfirmed$5.00 and 1 without a price2 jobs');
});

it('asks for one side only, and for one gateway where one is chosen', async () => {
  const studio = aStudio();
  await show(<SpendPage />);
  await until(() => expect(asked(studio)).toContainEqual({ play: false, profileIds: undefined }));
  await click(document.querySelector('.gateway [role="combobox"]') as HTMLElement);
  await clickOn('Other', '[role="option"]');
  await until(() => expect(asked(studio)).toContainEqual({ play: false, profileIds: ['q'] }));
  await clickOn(labels.testMoney, '[role="radio"]');
  await until(() => expect(asked(studio)).toContainEqual({ play: true, profileIds: undefined }));
  expect(document.querySelector('.gateway')).toBeNull();
});

it('a link to a price shows the gateway that it is about, whichever was chosen', async () => {
  const studio = aStudio();
  await show(<SpendPage />);
  await clickOn(labels.realMoney, '[role="radio"]');
  await click(document.querySelector('.gateway [role="combobox"]') as HTMLElement);
  await clickOn('Other', '[role="option"]');
  await until(() => expect(asked(studio).at(-1)).toEqual({ play: false, profileIds: ['q'] }));
  await acting(() => navigate('spend', { price: 'video', profile: 'p' }));
  await until(() => expect(asked(studio).at(-1)).toEqual({ play: false, profileIds: ['p'] }));
  await acting(() => navigate('spend', { profile: 'q' }));
  await until(() => expect(asked(studio).at(-1)).toEqual({ play: false, profileIds: ['q'] }));
});

it('prices of one gateway are not there for another', async () => {
  const other = Promise.withResolvers<{ prices: Price[] }>();
  aStudio([], {
    'prices.list': ({ profileId }) => (profileId === 'q' ? other.promise : { prices: [...DEFAULT_PRICES] }),
  });
  await acting(() => navigate('spend', { profile: 'p' }));
  await show(<SpendPage />);
  await until(() => expect(document.querySelector('.prices tr')).not.toBeNull());
  await acting(() => navigate('spend', { price: 'image', profile: 'q' }));
  await until(() => expect(document.querySelector('.prices tr')).toBeNull());
  expect(document.querySelector('.dlg form')).toBeNull();
  await acting(() => other.resolve({ prices: [] }));
  await until(() => byText(labels.setAPriceOf('Other'), '.dlg h2'));
});

it('the evidence of the month is of the gateway that is looked at', async () => {
  aStudio([{ key: '2026-11-21', jobs: 4, ...sum }]);
  await acting(() => navigate('spend', { profile: 'q' }));
  await show(<SpendPage />);
  await until(() => byText('2026-11-21', 'td'));
  await clickOn(labels.export);
  await clickOn(labels.jobRecordsOfTheMonth, '[role="menuitem"]');
  expect(window.location.hash).toContain('gateway=q');
});

it('exports every entry of the time and gateway that are looked at', async () => {
  const studio = aStudio([{ key: '2026-11-21', jobs: 4, ...sum }]);
  chooseDates({ span: 'own', from: '2026-11-01', to: '2026-11-30' });
  await acting(() => navigate('spend', { profile: 'q' }));
  await show(<SpendPage />);
  await clickOn(labels.export);
  await clickOn(labels.everyEntryAsJson, '[role="menuitem"]');
  const november = { from: new Date(2026, 10, 1).getTime(), to: new Date(2026, 11, 1).getTime() };
  const name = 'Ledger, 1 Nov 2026 to 30 Nov 2026';
  await until(() =>
    expect(studio.callsOf('ledger.export')).toEqual([
      { play: false, profileIds: ['q'], ...november, format: 'json', name },
    ]),
  );
});

it('draws charged, reserved and unconfirmed of each day as parts of one bar, true to each other', async () => {
  const rows = [
    { ...NO_MONEY, key: '2026-11-20', jobs: 1, settledNano: 2e9, reservedNano: 1e9, uncertainNano: 5e8 },
    { ...NO_MONEY, key: '2026-11-21', jobs: 1, settledNano: 1e9 },
    // A refund on a day of its own.
    { ...NO_MONEY, key: '2026-11-22', jobs: 1, settledNano: -1e9 },
  ];
  await show(<Chart rows={rows} labels={['20', '21', '22']} cap={{ nano: 4e9, name: 'Daily budget' }} label="Spend" />);
  const heights = (part: string) =>
    [...document.querySelectorAll<HTMLElement>(`.chart .${part}`)].map(({ style }) => Number.parseFloat(style.height));
  const [two = 0, one = 0, ...others] = heights('s');
  expect(others).toEqual([]);
  expect(two / one).toBeCloseTo(2);
  expect(heights('r')).toEqual([one]);
  expect(heights('d')).toEqual([expect.closeTo(one / 2, 1)]);
  expect(textsOf('.chart > i')).toEqual(['$0', '$1', '$2', '$3', '$4', 'Daily budget']);
});

it('gives what has no price a column of its own, where there is any', async () => {
  const heads = () => textsOf('th');
  const table = (totals: typeof sum) => (
    <TotalsTable
      head="Day"
      rows={[{ key: '2026-11-21', jobs: 4, ...totals }]}
      sum={totals}
      nameOf={(key) => key}
      period="November"
    />
  );
  await show(table(sum));
  expect(heads()).toContain('No price');
  expect(textOf('tr.sum td:last-child')).toBe('3');
  await show(table({ ...sum, unpriced: 0 }));
  expect(heads()).not.toContain('No price');
});

it('today and this month are asked for up to their ends', async () => {
  // No midnight passes meanwhile.
  vi.setSystemTime(new Date(2026, 10, 21, 12));
  onTestFinished(() => void vi.useRealTimers());
  const studio = aStudio();
  await show(<SpendPage />);
  const now = new Date();
  const today = { from: now.setHours(0, 0, 0, 0), to: now.setHours(24, 0, 0, 0) };
  await until(() => expect(studio.callsOf('ledger.totals')).toContainEqual(expect.objectContaining(today)));
  const [year, month] = [new Date().getFullYear(), new Date().getMonth()];
  const soFar = { from: new Date(year, month, 1).getTime(), to: new Date(year, month + 1, 1).getTime() };
  await until(() => expect(studio.callsOf('ledger.totals')).toContainEqual(expect.objectContaining(soFar)));
});

it('everything but today is asked for the chosen time', async () => {
  const studio = aStudio([{ key: '2026-10-21', jobs: 4, ...sum }]);
  chooseDates({ span: 'own', from: '2026-10-01', to: '2026-10-31' });
  await show(<SpendPage />);
  const october = { from: new Date(2026, 9, 1).getTime(), to: new Date(2026, 10, 1).getTime() };
  await until(() => byText('1 Oct 2026 to 31 Oct 2026', 'dt'));
  await until(() => expect(studio.callsOf('ledger.totals')).toContainEqual(expect.objectContaining(october)));
  await until(() =>
    expect(studio.callsOf('spend.kept')).toEqual([expect.objectContaining({ ...october, groupBy: 'project' })]),
  );
});
