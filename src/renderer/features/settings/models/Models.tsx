import { Pencil, Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { KINDS, pricingOf } from '../../../../shared/kinds/index.ts';
import { costOf, type Price, priceFor } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, useAction, useCall, useNow, useRoute } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { SetPrice } from '../../../spending/index.ts';
import {
  Button,
  Checkbox,
  formatStamp,
  formatUtcDay,
  Icon,
  IconButton,
  PriceTag,
  plural,
  Reading,
  Refusal,
  TableHead,
  TextAction,
} from '../../../ui/index.ts';
import { CLIP } from '../connect/facts.ts';
import type { TabProps } from '../gateways/tabs.ts';
import type { Fields } from '../gateways/useFields.ts';
import { AddModel } from './AddModel.tsx';
import { Dependents } from './Dependents.tsx';
import { FactsDialog } from './FactsDialog.tsx';
import styles from './models.module.css';
import { factsWords, priceWords, timeLeft } from './words.ts';

/** The models of a gateway: what each can do, its price, its end date, and the shots that only it can extend. */
export function Models({ fields }: TabProps) {
  const { profile, off } = fields;
  const profileId = profile.id;
  const list = useCall('models.list', { profileId }, { on: ['profiles.changed', 'board.changed'] });
  const prices = useCall('prices.list', { profileId }, { on: ['profiles.changed', 'ledger.changed'] });
  const now = useNow(60_000);
  const { params } = useRoute();
  const [open, setOpen] = useState<ModelEntry | 'new'>();
  const { refusal, run, isBusy } = useAction();
  const models = list.data?.models ?? [];
  const shown = models.find(({ id }) => id === params.get('model')) ?? soonest(models);
  const read = async () => {
    const answer = await run(call('models.read', { profileId }));
    if (answer.ok) list.reload();
  };
  const readAt = list.data?.readAt;
  return (
    <>
      <Reading of={list} rows={6}>
        {() => <Table models={models} prices={prices.data?.prices ?? []} fields={fields} now={now} onEdit={setOpen} />}
      </Reading>
      <div className="row mt">
        <Button busy={isBusy} onClick={() => void read()}>
          {t`Load models`}
        </Button>
        <Button
          variant="ghost"
          off={off ? t`The sandbox has its own models.` : undefined}
          onClick={() => setOpen('new')}
        >
          <Icon of={Plus} />
          {t`Add model`}
        </Button>
        <span className="grow" />
        {readAt !== undefined && <span className="t3">{t`Read ${formatStamp(readAt, now)}`}</span>}
      </div>
      <Refusal text={refusal} />
      {shown && <Dependents key={shown.id} profileId={profileId} model={shown} now={now} />}
      {open === 'new' && (
        <AddModel profile={profile} others={list.data?.others ?? []} onClose={() => setOpen(undefined)} />
      )}
      {open && open !== 'new' && (
        <FactsDialog profileId={profileId} model={open} onSaved={list.reload} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

const HEADS = [t`Model`, t`Capabilities`, t`Price`, [t`One 4 s clip`, styles.clip]] as const;
const LAST = [t`Preview`, [t`Actions`, 'vh']] as const;

interface TableProps {
  models: readonly ModelEntry[];
  prices: readonly Price[];
  fields: Fields;
  now: number;
  onEdit: (model: ModelEntry) => void;
}

function Table({ models, prices, fields, now, onEdit }: TableProps) {
  const hasEnds = models.some(({ endsAt, shots }) => endsAt || shots > 0);
  return (
    <table className={`tbl ${styles.models}`} aria-label={t`Models`}>
      <TableHead heads={hasEnds ? [...HEADS, t`Ends`, ...LAST] : [...HEADS, ...LAST]} />
      <tbody>
        {models.map((model) => (
          <Row
            key={model.id}
            model={model}
            price={priceFor(prices, model.kind, model.id)}
            fields={fields}
            now={hasEnds ? now : undefined}
            onEdit={onEdit}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The model that ends first, of those with shots that only they can extend. */
function soonest(models: readonly ModelEntry[]): ModelEntry | undefined {
  const ends = models.filter(({ shots }) => shots > 0);
  return ends.toSorted((a, b) => (a.endsAt ?? Number.MAX_VALUE) - (b.endsAt ?? Number.MAX_VALUE))[0];
}

interface RowProps extends Pick<TableProps, 'fields' | 'onEdit'> {
  model: ModelEntry;
  price: Price | undefined;
  /** Undefined if no model ends. */
  now: number | undefined;
}

function Row({ model, price, fields, now, onEdit }: RowProps) {
  const { id, kind } = model;
  const { draft, change, off, profile } = fields;
  const { words, isOpen } = priceWords(price);
  const cost = price && kind === KINDS.video.name ? costOf(price, CLIP) : undefined;
  const remove = () => change({ models: draft.models.filter((one) => one.id !== id) });
  return (
    <tr>
      <td title={id}>
        <b>{model.label ?? id}</b> <span className="t3">{pricingOf(kind).title}</span>
      </td>
      <td className={`t2 ${styles.wraps}`}>{factsWords(model) || <span className="t3">{t`Not stated`}</span>}</td>
      <td className={styles.wraps}>
        <span className={isOpen || !price ? 'price un' : 't2'}>{words}</span>{' '}
        <SetPrice kind={kind} model={id} profileId={profile.id}>
          {isOpen ? t`Set unit` : t`Set price`}
        </SetPrice>
      </td>
      <td className={styles.clip}>{cost && <PriceTag nano={cost.nano} lowNano={cost.lowNano} />}</td>
      {now !== undefined && <Ends model={model} profileId={profile.id} now={now} />}
      <td>{pricingOf(kind).hasPreviews && <Preview model={model} fields={fields} />}</td>
      <td className="r">
        <IconButton label={t`Edit ${id}`} onClick={() => onEdit(model)}>
          <Icon of={Pencil} />
        </IconButton>
        {!off && (
          <IconButton label={t`Remove ${id}`} onClick={remove}>
            <Icon of={X} />
          </IconButton>
        )}
      </td>
    </tr>
  );
}

/** The end date, with a link to the shots that depend on the model. */
function Ends({ model, profileId, now }: { model: ModelEntry; profileId: string; now: number }) {
  const { id, endsAt, shots } = model;
  const show = () => navigate('settings', { section: 'gateways', profile: profileId, tab: 'models', model: id });
  return (
    <td className={styles.wraps}>
      {endsAt && (
        <>
          <b>{formatUtcDay(endsAt, now)}</b> <span className="t3">{timeLeft(endsAt, now)}</span>{' '}
        </>
      )}
      {shots > 0 && <TextAction onClick={show}>{plural(shots, 'shot')}</TextAction>}
    </td>
  );
}

/** Preview models have their own limit. */
const Preview = ({ model: { id }, fields: { draft, change, off } }: Pick<RowProps, 'model' | 'fields'>) => (
  <Checkbox
    checked={draft.models.find((one) => one.id === id)?.preview ?? false}
    disabled={off}
    onChecked={(preview) => change({ models: draft.models.map((one) => (one.id === id ? { ...one, preview } : one)) })}
  >
    <span className="vh">{t`${id} is a preview model`}</span>
  </Checkbox>
);
