import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import { type MoneyTotals, NO_MONEY } from '../../../shared/money/ledger.ts';
import { useStudio } from '../../app/index.ts';
import { textOf } from '../../testing/find.ts';
import { byText, click, clickOn, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { SpendPage } from './SpendPage.tsx';
import { chooseDates } from './side.ts';

/** A month on paper, and every entry as a file. */

/** It draws on a canvas, which tests of pages have not. */
vi.mock('./Chart.tsx', () => ({ Chart: () => null }));

const november = { from: new Date(2026, 10, 1).getTime(), to: new Date(2026, 11, 1).getTime() };
const paid = { ...NO_MONEY, settledNano: 3e9, settledLowNano: 1e9, uncertainNano: 28e8, unpriced: 2 };
const KEYS = { day: '2026-11-21', model: 'video-standard', kind: 'video', project: 'f', gateway: 'p' };

function aStudio(sum: MoneyTotals = paid) {
  return fakeStudio({
    'ledger.totals': ({ groupBy, play = false }) => ({ rows: [{ key: KEYS[groupBy], jobs: 4, ...sum }], sum, play }),
  });
}

beforeEach(() => {
  chooseDates({ span: 'month', from: '', to: '' });
  useStudio.setState({
    profiles: [{ id: 'p', name: 'Studio', key: null, builtin: false } as ProfileView],
    activeProfileId: 'p',
    budgets: [],
    moneyRead: true,
    projects: [{ id: 'f', name: 'Last Ferry', createdAt: 0 }],
    removedProjects: [],
  });
});

it('has the sums of the month by each, and what has no price', async () => {
  window.location.hash = '#/spend/print?month=2026-11&gateway=p';
  const studio = aStudio();
  await show(<SpendPage />);
  await until(() => expect(document.querySelectorAll('.sheet table')).toHaveLength(4));
  for (const groupBy of ['day', 'model', 'project', 'gateway'])
    expect(studio.callsOf('ledger.totals')).toContainEqual({ play: false, profileIds: ['p'], ...november, groupBy });
  const tables = Object.fromEntries(
    [...document.querySelectorAll('.sheet table')].map((table) => [
      table.getAttribute('aria-label'),
      table.textContent,
    ]),
  );
  expect(tables['By gateway']).toContain('Studio');
  expect(tables['By project']).toContain('Last Ferry');
  expect(tables['By model']).toContain('video-standard4≤ $3.00$1.00–$2.802');
});

it('what has no known price is a dash on paper too', async () => {
  window.location.hash = '#/spend/print?month=2026-11&gateway=p';
  aStudio({ ...NO_MONEY, unpriced: 3 });
  await show(<SpendPage />);
  await until(() => expect(textOf('table[aria-label="By model"] tbody tr')).toBe('video-standard4––––3'));
});

it('is printed by its button, and is left by Esc', async () => {
  window.location.hash = '#/spend/print?month=2026-01';
  const print = vi.fn();
  vi.stubGlobal('print', print);
  aStudio();
  await show(<SpendPage />);
  await until(() => byText('January 2026', 'h1'));
  await click(byText(labels.print));
  expect(print).toHaveBeenCalledTimes(1);
  await press('Escape');
  await until(() => expect(window.location.hash).toBe('#/spend'));
  await until(() => byText(labels.export));
  vi.unstubAllGlobals();
});

it('a month that is none is this month', async () => {
  // No midnight passes meanwhile.
  vi.setSystemTime(new Date(2026, 10, 21, 12));
  onTestFinished(() => void vi.useRealTimers());
  window.location.hash = '#/spend/print?month=2026-99';
  const studio = aStudio();
  await show(<SpendPage />);
  const now = new Date();
  const from = new Date(now.getFullYear(), now.getMonth(), 1).getTime();
  await until(() => expect(studio.callsOf('ledger.totals')[0]).toMatchObject({ from }));
});

it('exports every entry of the time and gateway that are looked at', async () => {
  window.location.hash = '#/spend';
  const studio = aStudio();
  chooseDates({ span: 'own', from: '2026-11-01', to: '2026-11-30' });
  await show(<SpendPage />);
  await clickOn(labels.export);
  await clickOn(labels.everyEntryAsJson, '[role="menuitem"]');
  await until(() =>
    expect(studio.callsOf('ledger.export')).toEqual([
      { play: false, ...november, format: 'json', name: 'Ledger, 1 Nov 2026 to 30 Nov 2026' },
    ]),
  );
});
