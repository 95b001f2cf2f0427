import type { ShownPrice } from '../../../shared/money/ledger.ts';
import { t } from '../../../shared/text/texts.ts';
import { MoneyPlate, useActiveProfile } from '../../app/index.ts';
import type { useSpend } from '../../spending/index.ts';
import { ErrorBox, formatCount, PriceTag } from '../../ui/index.ts';

/**
 * At the button: the answer length that the price covers, and the price. No limit is sent to the gateway, so a longer answer costs more.
 */
export function MessagePrice({ shown: { estimateNano, lowNano, unpriced } }: { shown: ShownPrice }) {
  const most = useActiveProfile()?.limits.outputTokens;
  return (
    <>
      {most !== undefined && (
        <span className="t3 nums" title={t`A longer answer costs more.`}>
          {t`Up to ${formatCount(most)} tokens`}
        </span>
      )}
      <MoneyPlate />
      <PriceTag nano={estimateNano} lowNano={lowNano} unpriced={unpriced} />
    </>
  );
}

interface NotSentProps {
  of: Pick<ReturnType<typeof useSpend>, 'error' | 'isUnknown' | 'dismiss'>;
}

/** Why nothing was sent, or may have been. Pressing again unchanged repeats the same request. */
export const NotSent = ({ of: { error, isUnknown, dismiss } }: NotSentProps) =>
  error === undefined ? null : (
    <ErrorBox title={error} actions={[{ label: t`Dismiss`, onDo: dismiss }]}>
      {isUnknown
        ? t`The request may already be queued. Press again unchanged: nothing is sent twice.`
        : t`Nothing was sent.`}
    </ErrorBox>
  );
