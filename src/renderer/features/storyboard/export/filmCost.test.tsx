import { expect, it } from 'vitest';
import { SANDBOX_PROFILE_ID } from '../../../../shared/gateway/profile.ts';
import { aJob, fakeStudio, show } from '../../../testing/page.tsx';
import type { ShotView } from '../model/view.ts';
import { FilmCost } from './ShownExport.tsx';

const take = (profileId: string, dollars: number, doubt = 0) => {
  const charged = { chargedNano: dollars * 1e9, chargedLowNano: dollars * 1e9, reservedNano: 0 };
  const money = { ...aJob().money, ...charged, uncertainNano: doubt * 1e9 };
  return { job: aJob({ profileId, state: 'succeeded', money }) };
};
const costOf = async (...takes: object[]): Promise<string> =>
  (await show(<FilmCost shots={[{ takes } as unknown as ShotView]} />)).textContent ?? '';

it('what a film has cost says test money where all of it is', async () => {
  fakeStudio({});
  expect(await costOf(take(SANDBOX_PROFILE_ID, 2))).toBe('$2.00 Test money');
  expect(await costOf(take(SANDBOX_PROFILE_ID, 2), take('real', 1))).toBe('$1.00');
  expect(await costOf(take('real', 1))).toBe('$1.00');
  expect(await costOf(take(SANDBOX_PROFILE_ID, 0))).toBe('$0.00');
});

it('test money in doubt is told only where all of it is test money', async () => {
  fakeStudio({});
  expect(await costOf(take('real', 2), take(SANDBOX_PROFILE_ID, 0, 3.2))).toBe('$2.00');
  expect(await costOf(take('real', 2, 1), take(SANDBOX_PROFILE_ID, 0, 3.2))).toBe('$2.00, $1.00 unconfirmed');
  expect(await costOf(take(SANDBOX_PROFILE_ID, 0, 3.2))).toBe('$0.00 Test money, $3.20 unconfirmed');
});
