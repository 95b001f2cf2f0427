import { expect, onTestFinished, test, vi } from 'vitest';
import { ok } from '../../../shared/contract/result.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import { status } from './status.ts';

const DOUBT = { count: 1, nano: 0, unpriced: 1 };
const ANSWERS: Readonly<Record<string, object>> = {
  'queue.status': { running: 0, waiting: 0, paused: false, offline: false, doubt: DOUBT },
  'ledger.totals': { rows: [], play: false, sum: { ...NO_MONEY, unpriced: 2 } },
  'night.get': { current: null },
  'quotes.list': { open: 0 },
};

const terminal = { isInteractive: false, say: () => undefined, ask: async () => '' };

test.each([
  [0, 'none'],
  [1, '1 waits for you'],
  [2, '2 wait for you'],
])('shows %i open approval requests', async (open, words) => {
  const call = async (name: string) => ok(name === 'quotes.list' ? { open } : ANSWERS[name]);
  const link = async () => ok({ dataDir: '', call: call as never });
  const { lines } = await status.run({ args: [], flags: {}, terminal, link });
  expect(lines.join('\n')).toContain(words);
});

test('today ends at midnight, and requests without a price are shown beside the sums', async () => {
  // Midnight must not pass during the test.
  vi.setSystemTime(new Date(2026, 10, 21, 12));
  onTestFinished(() => void vi.useRealTimers());
  const asked: [string, object][] = [];
  const call = async (name: string, input: object) => {
    asked.push([name, input]);
    return ok(ANSWERS[name]);
  };
  const link = async () => ok({ dataDir: '', call: call as never });
  const { lines } = await status.run({ args: [], flags: {}, terminal, link });
  const words = lines.join('\n').replaceAll(/ +/g, ' ');
  expect(words).toContain('Unconfirmed 1, 1 request without a price');
  expect(words).toContain('Today 2 requests without a price');
  const day = new Date();
  const today = { from: day.setHours(0, 0, 0, 0), to: day.setHours(24, 0, 0, 0) };
  expect(asked).toContainEqual(['ledger.totals', { groupBy: 'kind', ...today }]);
});
