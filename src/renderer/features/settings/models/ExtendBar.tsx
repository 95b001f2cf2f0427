import { useState } from 'react';
import type { ModelDependent, ModelEntry } from '../../../../shared/modelCalls.ts';
import { formatNano } from '../../../../shared/money.ts';
import { counted, inflected, t } from '../../../../shared/texts.ts';
import { announce, useStudio } from '../../../app/index.ts';
import { type PriceNow, PriceRow, type SendFailure, SpendBar, SpendDialog } from '../../../spending/index.ts';
import { Button, PriceWords, priceText } from '../../../ui/index.ts';
import { leftOf } from '../../../words/index.ts';
import { extend, extendInOrder, notOrdered, useOrdered } from './extendOrder.ts';
import styles from './models.module.css';
import type { ModelsHandle } from './useModels.ts';

interface ExtendBarProps {
  handle: ModelsHandle;
  model: ModelEntry;
  chosen: ModelDependent;
  shots: readonly ModelDependent[];
  price: PriceNow;
  now: number;
}

/** The price where it is spent: the shot that is chosen, and the others together. Nothing that is there is replaced. */
export function ExtendBar({ handle, model, chosen, shots, price, now }: ExtendBarProps) {
  const { profile, isActive } = handle;
  const [isOfferingAll, setOfferingAll] = useState(false);
  const rest = shots.filter((shot) => shot !== chosen);
  const others = notOrdered(model.id, rest, useOrdered());
  const off = isActive ? price.off : t`Takes are made by the gateway in use: choose ${profile?.name} there first.`;
  const name = t`${chosen.project}, shot ${chosen.number}`;
  const send = async (night: boolean): Promise<SendFailure> => {
    const failure = await extend({ dependent: chosen, model: model.id, shown: price.shown, night });
    if (failure !== undefined) return failure;
    announce(t`The extension of ${name} is ${night ? t`scheduled overnight` : t`in the queue`}`);
    return undefined;
  };
  return (
    <div className={`foot ${styles.send}`}>
      <div className={`${styles.mdlNote} t2`}>
        <p>{pressedWords(shots, now)}</p>
        <AllAtOnce count={shots.length} price={price} />
        {others.length > 0 && (
          <Button off={off} onClick={() => setOfferingAll(true)}>
            {t`The other ${others.length}`} <PriceOf count={others.length} price={price} />
          </Button>
        )}
        {others.length < rest.length && (
          <p>{t`${rest.length - others.length} of the others ${inflected(rest.length - others.length, 'was', 'were')} ordered together already.`}</p>
        )}
      </div>
      <SpendBar
        // What became of a press belongs to its shot.
        key={`${chosen.projectId} ${chosen.shotId}`}
        label={t`Extend shot ${chosen.number}`}
        off={off}
        onSend={() => send(false)}
        tonight={{ what: t`Extension of ${name}`, shown: price.shown, payer: profile?.id, onSend: () => send(true) }}
      >
        <PriceRow what={t`${name}, 7 s by ${model.id}`} now={price} kind={model.kind} profileId={profile?.id} />
      </SpendBar>
      {isOfferingAll && (
        <ExtendAll model={model} shots={others} price={price} off={off} onClose={() => setOfferingAll(false)} />
      )}
    </div>
  );
}

interface ExtendAllProps extends Pick<ExtendBarProps, 'model' | 'shots' | 'price'> {
  off: string | undefined;
  onClose: () => void;
}

function ExtendAll({ model, shots, price, off, onClose }: ExtendAllProps) {
  // What failed is pressed again: those that were ordered are not ordered once more.
  const [orders, setOrders] = useState(shots);
  const label = t`Extend ${counted(orders.length, 'shot')}`;
  const send = async (night: boolean): Promise<SendFailure> => {
    const { failure, left } = await extendInOrder(orders, { model: model.id, shown: price.shown, night });
    if (failure !== undefined) {
      setOrders(left);
      return failure;
    }
    const where = night ? t`scheduled overnight` : t`in the queue`;
    announce(t`${counted(orders.length, 'extension')} ${inflected(orders.length, 'is', 'are')} ${where}`);
    return undefined;
  };
  return (
    <SpendDialog
      title={`${label}?`}
      label={label}
      off={off}
      price={
        <div className="row between">
          <span className="t2">{t`${counted(orders.length, 'clip')} of 7 s`}</span>
          <PriceOf count={orders.length} price={price} />
        </div>
      }
      onSend={() => send(false)}
      tonight={{ what: label, shown: sumShown(price, orders.length), onSend: () => send(true) }}
      onClose={onClose}
    >
      {t`Each becomes a shot behind the one it extends, with that shot’s words. They are ordered one after the other; where one is refused, those before it stay ordered and the rest is not sent.`}
    </SpendDialog>
  );
}

const sumShown = ({ shown }: PriceNow, count: number): PriceNow['shown'] =>
  shown && {
    estimateNano: shown.estimateNano * count,
    lowNano: shown.lowNano * count,
    unpriced: (shown.unpriced ?? 0) * count,
  };

function PriceOf({ count, price: { price } }: { count: number; price: PriceNow }) {
  if (!price) return null;
  return <PriceWords nano={price.estimateNano * count} lowNano={price.lowNano * count} unpriced={price.unpriced} />;
}

/** What all of them cost together, beside what is left today. */
function AllAtOnce({ count, price: { price } }: { count: number; price: PriceNow }) {
  const day = useStudio((state) => state.budgets.find(({ scope }) => scope === 'day'));
  if (!price || price.unpriced > 0 || count < 2) return null;
  const sum = price.estimateNano * count;
  const left = day && leftOf(day);
  const over = left === undefined || sum <= left ? '' : t`, ${formatNano(sum - left)} over today’s budget`;
  return (
    <p>
      {t`All ${count} at once:`} <b>{priceText(sum, price.lowNano * count)}</b>
      {over}.
    </p>
  );
}

/** Which are in a hurry: not all that end, but those whose clip the gateway gives up first. */
function pressedWords(shots: readonly ModelDependent[], now: number): string {
  const soon = shots.filter(({ until }) => until !== undefined && until - now < 48 * 3_600_000);
  if (soon.length === 0) return t`None of them is pressed for time.`;
  const names = soon.slice(0, 3).map(({ number }) => number);
  const more = soon.length > names.length ? t` and ${soon.length - names.length} more` : '';
  if (soon.length === shots.length && shots.length > 1) return t`All of them are pressed for time.`;
  return t`Only shot${inflected(soon.length, '', 's')} ${names.join(', ')}${more} ${inflected(soon.length, 'is', 'are')} pressed for time.`;
}
