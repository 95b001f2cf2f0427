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

/** How a job failed, by the kind of its error. What the service's filter refuses is told apart: another prompt may pass. */
export const FAILURE_WORDS = {
  auth: { word: 'Failed', why: 'The key was refused' },
  quota: { word: 'Failed', why: 'Out of quota' },
  rate_limit: { word: 'Failed', why: 'Rate limit' },
  invalid: { word: 'Failed', why: 'Not accepted by the service' },
  moderation: { word: 'Refused', why: 'Refused by the filter' },
  server: { word: 'Failed', why: 'Error of the service' },
  timeout: { word: 'Failed', why: 'No answer in time' },
  network: { word: 'Failed', why: 'Connection lost' },
} as const satisfies Record<ErrorKind, { word: string; why: string }>;
