import { expect, test } from 'vitest';
import { ok } from '../../../shared/contract/result.ts';
import type { NightReport } from '../../../shared/jobs/night.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import { report } from './report.ts';

const NIGHT: Partial<NightReport> = {
  run: { number: 14, startsAt: 0, endsAt: 1, play: false } as NightReport['run'],
  jobs: 2,
  made: 2,
  plannedNano: 3_200_000_000,
  plannedLowNano: 800_000_000,
  plannedUnpriced: 0,
  spent: NO_MONEY,
  corrected: { settledNano: 0, settledLowNano: 0 },
  notRunJobs: [],
};

async function printed(more: Partial<NightReport>): Promise<string> {
  const link = async () => ok({ dataDir: '', call: (async () => ok({ ...NIGHT, ...more })) as never });
  const terminal = { isInteractive: false, say: () => undefined, ask: async () => '' };
  const { lines } = await report.run({ args: [], flags: {}, terminal, link });
  return lines.join('\n').replaceAll(/ +/g, ' ');
}

test('what was settled since stands beside what was spent', async () => {
  const spent = { ...NO_MONEY, settledNano: 1_600_000_000 };
  const words = await printed({ spent, corrected: { settledNano: -1_200_000_000, settledLowNano: 0 } });
  expect(words).toContain('Spent $1.60 charged, $0.00 reserved, $0.00 unconfirmed');
  expect(words).toContain('Charged since −$1.20');
  expect(await printed({ spent })).not.toContain('Charged since');
});

test('what has no known price is said beside what was planned and spent', async () => {
  const unpriced = { plannedNano: 0, plannedLowNano: 0, plannedUnpriced: 2, spent: { ...NO_MONEY, unpriced: 1 } };
  const words = await printed(unpriced);
  expect(words).toContain('Planned no price set');
  expect(words).toContain('Spent 1 request without a price');
});
