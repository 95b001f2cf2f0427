import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Project } from '../../../shared/board/board.ts';
import type { KeptRow } from '../../../shared/money/costPerKept.ts';
import { useStudio } from '../../app/index.ts';
import { textsOf } from '../../testing/find.ts';
import { byText, showOver, until } from '../../testing/page.tsx';
import { Kept } from './Kept.tsx';

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
const open = (kept: KeptRow[]) => showOver(<Kept asked={{}} />, { 'spend.kept': () => ({ rows: kept, play: false }) });
const cells = () => textsOf('tbody td');

it('says what a kept second cost, and what was not kept', async () => {
  await open([ferry]);
  await until(() => byText('Last Ferry', 'td'));
  expect(cells()).toEqual(['Last Ferry', '1:44', '25 s', '≤ $1.66', '–', '$31.60']);
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
