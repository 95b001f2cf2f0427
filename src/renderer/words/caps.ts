import type { Budget, MoneyTotals } from '../../shared/money/ledger.ts';
import { formatNano, type Nano } from '../../shared/money/money.ts';
import { t } from '../../shared/text/texts.ts';

/** What a budget applies to. */
/**
 * The rest of a budget, in nano-dollars: charged, reserved and unconfirmed count together, or the given ones. Negative if it is exceeded.
 */
export const leftUnder = (
  capNano: Nano,
  used: Pick<MoneyTotals, 'settledNano' | 'reservedNano' | 'uncertainNano'>,
  countedNano: Nano = used.settledNano + used.reservedNano + used.uncertainNano,
): Nano => capNano - countedNano;

/** The limit to show for a budget: the hard one, otherwise the soft one. */
export const capOf = ({ hardNano, softNano }: Pick<Budget, 'hardNano' | 'softNano'>): Nano | undefined =>
  hardNano ?? softNano;

/** The rest of a budget, negative if it is exceeded; undefined without a limit. */
export function leftOf(budget: Budget): Nano | undefined {
  const cap = capOf(budget);
  return cap === undefined ? undefined : leftUnder(cap, budget.used, budget.countedNano);
}

/** Until when a hard budget stops jobs. */
export const OVER_BUDGET: Record<Budget['scope'], string> = {
  day: t`Jobs over budget wait until midnight.`,
  month: t`Jobs over budget wait until next month.`,
  project: t`Jobs over budget wait until you change it.`,
  run: t`A scheduled run always has a limit.`,
};

/** Whether an amount exceeds a whole hard budget, so that waiting for a new day or month does not help. */
export const neverFits = (nano: Nano, budget: Budget): budget is Budget & { hardNano: Nano } =>
  budget.hardNano !== undefined && nano > budget.hardNano;

/** `$5.15 left`, `$0.40 over`; with the limit `$5.15 left of $30.00`, `$0.40 over $30.00`. */
export function leftWords(nano: Nano, capNano?: Nano): string {
  const isOver = nano < 0;
  const amount = formatNano(Math.abs(nano));
  if (capNano === undefined) return isOver ? t`${amount} over` : t`${amount} left`;
  return isOver ? t`${amount} over ${formatNano(capNano)}` : t`${amount} left of ${formatNano(capNano)}`;
}

/** The parts of a budget that count against its limit. At the lower price charged and reserved are less; unconfirmed is the same. */
export function countedParts({ used, countedNano }: Pick<Budget, 'used' | 'countedNano'>): MoneyTotals {
  if (countedNano === undefined) return used;
  const { settledLowNano, uncertainNano } = used;
  return {
    ...used,
    settledNano: settledLowNano,
    reservedNano: Math.max(0, countedNano - settledLowNano - uncertainNano),
  };
}
