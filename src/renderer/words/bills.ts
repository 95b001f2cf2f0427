import type { JobMoney } from '../../shared/jobs/job.ts';
import { formatNano } from '../../shared/money/money.ts';
import { t } from '../../shared/text/texts.ts';

/** What an unsuccessful job means for the bill. */
type Bill = 'unknown' | 'unconfirmed' | 'billed' | 'free';

type BillMoney = Pick<JobMoney, 'chargedNano' | 'uncertainNano' | 'unpriced'>;

function billOf({ chargedNano, uncertainNano, unpriced }: BillMoney): Bill {
  if (unpriced) return 'unknown';
  if (uncertainNano > 0) return 'unconfirmed';
  return chargedNano > 0 ? 'billed' : 'free';
}

const BILL_WORDS = {
  unknown: { short: t`bill unknown`, sentence: () => t`Its cost is unknown.` },
  unconfirmed: {
    short: t`bill unconfirmed`,
    sentence: ({ uncertainNano }) => t`${formatNano(uncertainNano)} is unconfirmed.`,
  },
  billed: { short: t`billed`, sentence: ({ chargedNano }) => t`${formatNano(chargedNano)} was billed.` },
  free: { short: t`not billed`, sentence: () => t`Nothing was billed for it.` },
} as const satisfies Record<Bill, { short: string; sentence: (money: BillMoney) => string }>;

/** `not billed`, `bill unconfirmed`. */
export const billWords = (money: BillMoney): string => BILL_WORDS[billOf(money)].short;

/** `$0.40 is unconfirmed.` */
export const billSentence = (money: BillMoney): string => BILL_WORDS[billOf(money)].sentence(money);
