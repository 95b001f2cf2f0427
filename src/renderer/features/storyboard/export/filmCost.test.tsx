import { expect, it } from 'vitest';
import { SANDBOX_PROFILE_ID } from '../../../../shared/profile.ts';
import { aJob, fakeStudio, show } from '../../../testing/page.tsx';
import type { ShotView } from '../model/view.ts';
import { FilmCost } from './FilmCost.tsx';

const take = (profileId: string, dollars: number) => {
  const money = { ...aJob().money, chargedNano: dollars * 1e9, chargedLowNano: dollars * 1e9, reservedNano: 0 };
  return { job: aJob({ profileId, state: 'succeeded', money }) };
};
const costOf = async (...takes: object[]): Promise<string> =>
  (await show(<FilmCost shots={[{ takes } as unknown as ShotView]} />)).textContent ?? '';

/** Bug: what a film of the sandbox cost stood beside its files as if it were on a bill. */
it('what a film has cost says play money where all of it is', async () => {
  fakeStudio({});
  expect(await costOf(take(SANDBOX_PROFILE_ID, 2))).toBe('$2.00 play money');
  expect(await costOf(take(SANDBOX_PROFILE_ID, 2), take('real', 1))).toBe('$1.00');
  expect(await costOf(take('real', 1))).toBe('$1.00');
  expect(await costOf(take(SANDBOX_PROFILE_ID, 0))).toBe('$0.00');
});
