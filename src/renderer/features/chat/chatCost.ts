import type { BranchSum } from '../../../shared/conversation.ts';
import { formatNano } from '../../../shared/money.ts';
import { t } from '../../../shared/texts.ts';
import { priceText } from '../../ui/index.ts';

/** What a chat or a branch has cost, and beside that what may be billed for it besides. */
export function chatCost({ chargedNano, uncertainNano, unpriced }: Omit<BranchSum, 'messageCount'>): string {
  const charged = priceText(chargedNano, undefined, 'range', unpriced);
  return uncertainNano > 0 ? t`${charged}, ${formatNano(uncertainNano)} unconfirmed` : charged;
}
