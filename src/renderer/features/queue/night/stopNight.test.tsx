import { expect, test } from 'vitest';
import type { NightRun } from '../../../../shared/night.ts';
import { show } from '../../../testing/page.tsx';
import { StopNight } from './StopNight.tsx';

const night = (waiting: number, underWay: number) =>
  ({ number: 15, state: 'open', days: [], jobs: { waiting, underWay } }) as unknown as NightRun;

test('stopping a night says what stays waiting, and where nothing does', async () => {
  const said = async (one: NightRun) => {
    await show(<StopNight night={one} open onClose={() => undefined} onStop={() => undefined} />);
    return document.querySelector('[role="alertdialog"], [role="dialog"]')?.textContent;
  };
  expect(await said(night(0, 2))).toContain('Nothing waits in it. 2 jobs under way will be finished.');
  expect(await said(night(1, 0))).toContain(
    '1 job stays waiting, unsent, and gives back what is reserved. It does not',
  );
});
