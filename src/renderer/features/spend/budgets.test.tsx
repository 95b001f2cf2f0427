import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import { type Budget, type MoneyTotals, NO_MONEY } from '../../../shared/money/ledger.ts';
import { readMoney, useStudio } from '../../app/index.ts';
import { says, textOf } from '../../testing/find.ts';
import { byText, click, clickOn, fakeStudio, show, showOver, type, until } from '../../testing/page.tsx';
import { Budgets, SuggestedBudget, useBudgets } from './Budgets.tsx';
import { Head } from './Totals.tsx';

const used: MoneyTotals = { ...NO_MONEY, settledNano: 1e9, settledLowNano: 1e9, uncertainNano: 2e9 };
const day: Budget = { scope: 'day', play: false, hardNano: 30e9, used };
const night: Budget = { scope: 'run', play: false, runId: 'night_15', hardNano: 20e9, used };

const ACTIVE = { play: false, isActive: true };
type Shown = Parameters<typeof useBudgets>[0] & { profileIds?: string[] };
const List = ({ side }: { side: Shown }) => <Budgets read={useBudgets(side)} side={side} />;
const Row = ({ side }: { side: Shown }) => (
  <SuggestedBudget budgets={useBudgets(side)} highest={18.4e9} period="November" side={side} />
);

const inputs = () => [...document.querySelectorAll<HTMLInputElement>('[role="dialog"] input[inputmode]')];
const said = () => textOf('[role="dialog"]') ?? '';

beforeEach(() => useStudio.setState({ budgets: [day, night], moneyRead: true, moneyError: undefined, projects: [] }));

it("changes a night's cap, and offers no way to remove it", async () => {
  const studio = await showOver(<List side={ACTIVE} />, {
    'budgets.set': () => ({ budgets: [day, { ...night, hardNano: 12.5e9 }] }),
  });
  await click(byText(labels.editTheBudgetOf('$20.00')));
  await until(() => expect(inputs()).toHaveLength(2));
  expect(said()).toContain('A scheduled run always has a limit.');
  expect(() => byText(labels.remove)).toThrow();
  const [hard] = inputs();
  if (!hard) throw new Error('no field');
  await type(hard, '');
  await click(byText(labels.save));
  expect(studio.callsOf('budgets.set')).toEqual([]);
  await type(inputs()[1] as HTMLInputElement, '10');
  await click(byText(labels.save));
  expect(said()).toContain('Stop at: an overnight run needs one.');
  await type(hard, '12.50');
  await click(byText(labels.save));
  expect(studio.callsOf('budgets.set')).toEqual([{ scope: 'run', hardNano: 12.5e9, softNano: 10e9 }]);
  await until(() => byText(labels.editTheBudgetOf('$12.50')));
});

it('says until when jobs over it wait, before it is set', async () => {
  await showOver(<List side={ACTIVE} />, {});
  await clickOn(labels.addABudget);
  expect(said()).toContain('Jobs over budget wait until midnight.');
});

it('removes any other', async () => {
  const studio = await showOver(<List side={ACTIVE} />, { 'budgets.set': () => ({ budgets: [night] }) });
  await click(byText(labels.editTheBudgetOf('$30.00')));
  await clickOn(labels.remove);
  expect(studio.callsOf('budgets.set')).toEqual([{ scope: 'day', hardNano: null, softNano: null }]);
});

it('says why they cannot be read, and reads them again', async () => {
  let broken = true;
  fakeStudio({
    'budgets.list': () => (broken ? fail('store_unavailable', 'The store is busy.') : { budgets: [day] }),
    'ledger.totals': () => ({ rows: [], sum: used, play: false }),
  });
  useStudio.setState({ budgets: [], moneyRead: false });
  await readMoney();
  await show(<List side={ACTIVE} />);
  await says('The store is busy.');
  broken = false;
  await click(byText(labels.tryAgain));
  await until(() => byText(labels.editTheBudgetOf('$30.00')));
});

it('suggests a daily budget until there is one', async () => {
  useStudio.setState({ budgets: [] });
  const studio = await showOver(<Row side={ACTIVE} />, { 'budgets.set': () => ({ budgets: [day] }) });
  await says('Your highest day, November: $18.40. Jobs over budget wait until midnight.');
  await clickOn('Set $20.00 a day');
  expect(studio.callsOf('budgets.set')).toEqual([{ scope: 'day', hardNano: 20e9 }]);
  await until(() => expect(document.body.textContent).not.toContain('Your highest day'));
});

it('asks for no daily budget of test money, and not again after Not now', async () => {
  useStudio.setState({ budgets: [] });
  const page = await showOver(<Row side={ACTIVE} />, {});
  await clickOn(labels.notNow);
  expect(page).not.toBeNull();
  expect(textOf('.daily')).toBeUndefined();
  await show(<Row side={{ play: true, isActive: true }} />);
  expect(textOf('.daily')).toBeUndefined();
});

it('leads from unconfirmed money to its jobs, and from nothing nowhere', async () => {
  const head = (sum: MoneyTotals) => (
    <Head today={used} sum={sum} period="November" side={{ ...ACTIVE, profileIds: ['p'] }} />
  );
  const links = () => [...document.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.textContent]);
  fakeStudio({});
  await show(head(used));
  expect(links()).toEqual([['#/queue?filter=doubt', '$2.00']]);
  await show(head({ ...used, uncertainNano: 0 }));
  expect(links()).toEqual([]);
});

it('says what is left under a cap of every gateway, also while one is looked at', async () => {
  const all = { ...NO_MONEY, settledNano: 100e9, settledLowNano: 100e9 };
  const one = { ...NO_MONEY, settledNano: 5e9, settledLowNano: 5e9 };
  const month: Budget = { ...day, scope: 'month', hardNano: 100e9, used: all };
  await showOver(<List side={{ play: false, profileIds: ['b'], isActive: false }} />, {
    'budgets.list': ({ profileIds } = {}) => ({ budgets: [profileIds ? { ...month, used: one } : month] }),
  });
  await until(() => expect(textOf('.nums')).toBe('$0.00 left'));
  expect(textOf('.sec')).toContain('All gateways');
});

it('draws the cap of a night by the reading that it counts', async () => {
  fakeStudio({});
  const parts = { settledNano: 16e9, settledLowNano: 4e9, reservedNano: 8e9, uncertainNano: 2e9 };
  const low: Budget = { ...night, used: { ...NO_MONEY, ...parts }, countedNano: 8e9 };
  useStudio.setState({ budgets: [low] });
  await show(<List side={ACTIVE} />);
  await until(() => byText('$12.00 left', '.nums'));
  expect(document.querySelector('.mbar')?.getAttribute('aria-label')).toBe(
    'Charged $4.00, Reserved $2.00, Unconfirmed $2.00, limit $20.00',
  );
  const widths = [...document.querySelectorAll<HTMLElement>('.mbar i')].map(({ style }) => style.width);
  expect(widths).toEqual(['20%', '10%', '10%']);
});
