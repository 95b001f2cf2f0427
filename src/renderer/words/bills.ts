import type { ErrorKind, JobMoney } from '../../shared/job.ts';
import { formatNano } from '../../shared/money.ts';

/** What a job that did not succeed means for the bill. */
type Bill = 'unknown' | 'inDoubt' | 'billed' | 'free';

type BillMoney = Pick<JobMoney, 'chargedNano' | 'uncertainNano' | 'unpriced'>;

function billOf({ chargedNano, uncertainNano, unpriced }: BillMoney): Bill {
  if (unpriced) return 'unknown';
  if (uncertainNano > 0) return 'inDoubt';
  return chargedNano > 0 ? 'billed' : 'free';
}

const BILL_WORDS = {
  unknown: { short: 'bill unknown', sentence: () => 'What it cost is not known.' },
  inDoubt: { short: 'bill in doubt', sentence: ({ uncertainNano }) => `${formatNano(uncertainNano)} is in doubt.` },
  billed: { short: 'billed', sentence: ({ chargedNano }) => `${formatNano(chargedNano)} was billed.` },
  free: { short: 'not billed', sentence: () => 'Nothing was billed for it.' },
} as const satisfies Record<Bill, { short: string; sentence: (money: BillMoney) => string }>;

/** `not billed`, `bill in doubt`. */
export const billWords = (money: BillMoney): string => BILL_WORDS[billOf(money)].short;

/** `$0.40 is in doubt.` */
export const billSentence = (money: BillMoney): string => BILL_WORDS[billOf(money)].sentence(money);

/** How a job ended that failed, by the kind of its error. What the service's filter refuses has its own word: another prompt may pass. */
export const FAILURE_WORDS = {
  auth: 'Failed',
  quota: 'Failed',
  rate_limit: 'Failed',
  invalid: 'Failed',
  moderation: 'Refused',
  server: 'Failed',
  timeout: 'Failed',
  network: 'Failed',
} as const satisfies Record<ErrorKind, string>;
