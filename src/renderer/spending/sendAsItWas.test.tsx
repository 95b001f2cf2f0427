import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fail, ok } from '../../shared/result.ts';
import { useStudio } from '../app/index.ts';
import { acting, aJob, fakeStudio } from '../testing/page.tsx';
import { sendAsItWas } from './index.ts';
import { Unanswered } from './unanswered.ts';

beforeEach(() => {
  vi.useFakeTimers();
  useStudio.setState({ link: 'up' });
});
afterEach(() => vi.useRealTimers());

const later = () => acting(() => vi.advanceTimersByTimeAsync(20_000));
const board = { projectId: 'f', revision: 1, shots: [] };

it('what is not answered is asked for exactly as it was, also after a reload', async () => {
  let isLost = true;
  const studio = fakeStudio({
    'storyboard.makeTake': () => (isLost ? fail('unreachable', 'The studio is away.') : ok({ job: aJob(), board })),
  });
  const prices = [1, 2].map((nano) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 }));
  const order = (shotId: string, at = 0) => ({ projectId: 'f', shotId, shown: prices[at] });
  const first = sendAsItWas('storyboard.makeTake', order('one'), ['take 3'], 'of one');
  await later();
  expect(await first).toMatchObject({ ok: false });
  // A window that is loaded again has what the old one knew.
  const asked = new Unanswered<object>('dailies.asked').get(JSON.stringify(['storyboard.makeTake', 'take 3']));
  expect(asked).toMatchObject({ input: order('one'), content: 'of one' });
  isLost = false;
  const second = await sendAsItWas('storyboard.makeTake', order('two', 1), ['take 3'], 'of two');
  expect(second).toMatchObject({ ok: true });
  await sendAsItWas('storyboard.makeTake', order('three'), ['take 3'], 'of three');
  const calls = studio.callsOf('storyboard.makeTake');
  expect(calls.at(-2)).toEqual({ ...order('one'), shown: prices[1] });
  expect(calls.at(-1)).toEqual(order('three'));
  const keys = studio.keysOf('storyboard.makeTake');
  expect(new Set(keys.slice(0, -1)).size).toBe(1);
  expect(keys.at(-1)).not.toBe(keys[0]);
});
