import { Check } from 'lucide-react';
import type { ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { pricingOf } from '../../../../shared/kinds/index.ts';
import { type Price, priceFor } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import { formatUtcDay, Icon, rich, TableHead } from '../../../ui/index.ts';
import styles from './models.module.css';
import { choosingRow, choosingRows, makesClips, priceWords, sizeWords, timeLeft } from './words.ts';

interface ModelTableProps {
  models: readonly ModelEntry[];
  prices: readonly Price[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
  now: number;
}

/** Every model with what it takes, its limits, its price, the day it ends and the shots that hang on it. */
export function ModelTable({ models, prices, chosen, onChoose, now }: ModelTableProps) {
  const ids = models.map(({ id }) => id);
  const flags = [t`First`, t`Last`, t`Refs`, t`Extend`, t`Sound`].map((flag) => [flag, styles.c] as const);
  return (
    <table className={`tbl ${styles.mdl}`} aria-label={t`Models`} {...choosingRows(ids, chosen, onChoose)}>
      <TableHead
        heads={[t`Model`, ...flags, t`Sizes`, [t`Price`, 'r'], [t`Unit`, styles.unit], t`Ends`, [t`Shots`, 'r']]}
      />
      <tbody>
        {models.map((model) => (
          <Row
            key={model.id}
            model={model}
            price={priceFor(prices, model.kind, model.id)}
            isChosen={model.id === chosen}
            onChoose={onChoose}
            now={now}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<ModelTableProps, 'onChoose' | 'now'> {
  model: ModelEntry;
  price: Price | undefined;
  isChosen: boolean;
}

function Row({ model, price, isChosen, onChoose, now }: RowProps) {
  const { id, kind, first, last, references, extend, sound } = model;
  const isClip = makesClips(model);
  const words = priceWords(price);
  return (
    <tr {...choosingRow(id, isChosen, onChoose)}>
      <td className="max" title={id}>
        <b>{id}</b> <span className="t3">{pricingOf(kind).title.toLowerCase()}</span>
      </td>
      <Flag value={isClip ? first : 'none'} />
      <Flag value={isClip ? last : 'none'} />
      <Flag value={references} />
      <Flag value={isClip ? extend : 'none'} />
      <Flag value={isClip ? sound : 'none'} />
      <td className="t2">{sizeWords(model) || <NotStated isShort />}</td>
      <td className="r">
        <span className={words.isOpen ? 'price un' : words.unit === '' ? 'price unknown' : 'price'}>{words.price}</span>
      </td>
      <td className={`t3 ${styles.unit}`}>{words.unit}</td>
      <td>
        <Ends model={model} now={now} />
      </td>
      <td className={`r ${model.shots === 0 ? 't3' : ''}`}>{model.shots === 0 ? '–' : model.shots}</td>
    </tr>
  );
}

function Ends({ model: { endsAt, endsBy }, now }: { model: ModelEntry; now: number }) {
  if (endsAt === undefined) return <NotStated />;
  const byHand = endsBy === 'user' && <span className="t3"> {t`by hand`}</span>;
  if (endsAt === null) return <span className="t2">{rich`none planned${byHand}`}</span>;
  return (
    <>
      <b>{formatUtcDay(endsAt, now)}</b> <span className="t3">{timeLeft(endsAt, now)}</span>
      {byHand}
    </>
  );
}

/** `none`: a model of its kind has no such thing. */
const Flag = ({ value }: { value: boolean | number | 'none' | undefined }) => (
  <td className={styles.c}>
    {value === undefined ? (
      <NotStated isShort />
    ) : value === true ? (
      <>
        <Icon of={Check} />
        <span className="vh">{t`yes`}</span>
      </>
    ) : value === 'none' || !value ? (
      <span className="t3">
        <span aria-hidden="true">–</span>
        <span className="vh">{t`no`}</span>
      </span>
    ) : (
      value
    )}
  </td>
);

/** What nobody says is dotted, and never a no. */
export function NotStated({ isShort = false }: { isShort?: boolean }) {
  return (
    <span className="t3" title={t`Not stated`}>
      <span aria-hidden="true">···{isShort ? '' : t` not stated`}</span>
      <span className="vh">{t`not stated`}</span>
    </span>
  );
}
