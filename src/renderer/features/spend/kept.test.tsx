import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Project } from '../../../shared/board/board.ts';
import type { KeptRow } from '../../../shared/money/kept.ts';
import { useStudio } from '../../app/index.ts';
import { textsOf } from '../../testing/find.ts';
import { byText, click, showOver, until } from '../../testing/page.tsx';
import { Kept } from './Kept.tsx';

const DATES = { span: 'month', from: '', to: '' } as const;
const ferry: KeptRow = {
  ...{ key: 'ferry', madeSeconds: 104, madeImages: 0, keptSeconds: 25, keptImages: 0, unpriced: 0 },
  ...{ spentNano: 41.6e9, spentLowNano: 10.4e9, perKeptSecondNano: 1.664e9, perKeptSecondLowNano: 0.416e9 },
  notKeptNano: 31.6e9,
  notKept: [
    { verdict: 'no', seconds: 52, images: 0, nano: 20.8e9 },
    { verdict: 'none', seconds: 27, images: 0, nano: 10.8e9 },
  ],
};
const rows = (...keys: string[]): KeptRow[] =>
  keys.map((key, index) => ({ ...ferry, key, notKeptNano: 31.6e9 - index }));

beforeEach(() => useStudio.setState({ projects: [{ id: 'ferry', name: 'Last Ferry' } as Project] }));
const open = (kept: KeptRow[]) =>
  showOver(<Kept asked={{}} dates={DATES} />, { 'spend.kept': () => ({ rows: kept, play: false }) });
const cells = () => textsOf('tbody td');
const links = () => [...document.querySelectorAll<HTMLAnchorElement>('td a')].map((link) => link.getAttribute('href'));

it('says what a kept second cost, and what was not kept, with the way to it', async () => {
  await open([ferry]);
  await until(() => byText('Last Ferry', 'td'));
  expect(cells()).toEqual(['Last Ferry', '1:44', '25 s', '≤ $1.66', '–', '$31.60']);
  expect(links()).toEqual(['#/library?verdict=no%2Cmaybe%2Cnone&project=ferry&span=month&from=&to=']);
});

it('names no amount for what was not kept at an unknown price', async () => {
  await open([{ ...ferry, notKeptNano: 0, unpriced: 3 }]);
  await until(() => byText('Last Ferry', 'td'));
  expect(cells().slice(-2)).toEqual(['–', '3']);
});

it('names a project that is removed', async () => {
  useStudio.setState({ removedProjects: [{ id: 'gone', name: 'Old Quay' } as Project] });
  await open(rows('gone', ''));
  await until(() => byText('Old Quay', 'td'));
  await until(() => byText(labels.noProject, 'td'));
});

it('by month leads to just the days of that month', async () => {
  const studio = await showOver(<Kept asked={{ play: true }} dates={DATES} />, {
    'spend.kept': ({ groupBy }) => ({ rows: groupBy === 'month' ? rows('2026-02') : [ferry], play: false }),
  });
  await click(byText(labels.month, '[role="radio"]'));
  await until(() => byText('February 2026', 'td'));
  expect(studio.callsOf('spend.kept').at(-1)).toEqual({ play: true, groupBy: 'month' });
  expect(links()).toEqual(['#/library?verdict=no%2Cmaybe%2Cnone&span=own&from=2026-02-01&to=2026-02-28']);
});
