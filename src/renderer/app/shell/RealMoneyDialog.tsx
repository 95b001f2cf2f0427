import { useRef } from 'react';
import { formatNano } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { Dialog, DialogActions, KeyValue, PriceTag } from '../../ui/index.ts';
import { leftOf, leftWords } from '../../words/index.ts';
import { useSpendChord } from '../keys/spendChord.ts';
import { MoneyPlate } from '../MoneyPlate.tsx';
import { agreeToPay, realMoney } from '../state/askRealMoney.ts';
import { useStudio } from '../state/studio.ts';
import { useOneAtATime } from '../useOneAtATime.ts';

/** Confirms the first payment of real money at a gateway, once, with the price. */
export function RealMoneyDialog() {
  const asked = realMoney.useAsked();
  const name = useStudio(({ profiles }) => profiles.find(({ id }) => id === asked?.profileIds[0])?.name);
  const day = useStudio(({ budgets }) => budgets.find(({ scope, play }) => scope === 'day' && !play));
  const words = useRef<HTMLParagraphElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const agree = useOneAtATime(async () => asked?.answer(await agreeToPay(asked.profileIds)));
  const kbd = useSpendChord(buttons, () => void agree(), { enabled: asked !== undefined });
  const refuse = () => asked?.answer(false);
  const shown = asked?.shown;
  const left = day && leftOf(day);
  const footer = (
    <div className="row" ref={buttons}>
      <DialogActions onClose={refuse} keep={t`Send nothing`} kbd={kbd} onClick={() => void agree()}>
        {t`Pay with real money`}
      </DialogActions>
    </div>
  );
  return (
    <Dialog
      open={asked !== undefined}
      onClose={refuse}
      title={t`Pay with real money at ${name}?`}
      width={400}
      initialFocus={words}
      footer={footer}
    >
      <div className="col gap">
        <p className="t2" ref={words} tabIndex={-1}>
          {t`This is your first paid job at ${name}. Dailies asks once for each gateway.`}
        </p>
        <KeyValue
          items={[
            [t`Money`, <MoneyPlate key="money" play={false} />],
            [
              t`This costs`,
              shown ? (
                <PriceTag key="price" nano={shown.estimateNano} lowNano={shown.lowNano} unpriced={shown.unpriced} />
              ) : (
                t`No price set`
              ),
            ],
            [t`Daily budget`, day?.hardNano === undefined ? t`None` : formatNano(day.hardNano)],
            left !== undefined && [t`Left today`, leftWords(left)],
          ]}
        />
      </div>
    </Dialog>
  );
}
