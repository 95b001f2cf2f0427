import { X } from 'lucide-react';
import type { ProfileModel } from '../../../../shared/gateway/profile.ts';
import { KINDS, pricingOf } from '../../../../shared/kinds/index.ts';
import { costOf, type Price, priceFor } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import { hashOf, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { SetPrice } from '../../../spending/index.ts';
import { Button, Checkbox, formatStamp, Icon, IconButton, PriceTag, Refusal, TableHead } from '../../../ui/index.ts';
import { CLIP } from '../connect/facts.ts';
import { priceWords } from '../models/words.ts';
import styles from './gateways.module.css';
import type { TabProps } from './tabs.ts';
import type { Fields } from './useFields.ts';

/** What the gateway offers, and what each model costs. */
export function Models({ fields }: TabProps) {
  const { id: profileId } = fields.profile;
  const list = useCall('models.list', { profileId }, { on: ['profiles.changed'] });
  const prices = useCall('prices.list', { profileId }, { on: ['profiles.changed', 'ledger.changed'] });
  const { refusal, run, isBusy } = useAction();
  const readAt = list.data?.readAt;
  const read = async () => {
    const answer = await run(call('models.read', { profileId }));
    if (answer.ok) list.reload();
  };
  return (
    <>
      <table className={`tbl ${styles.models}`}>
        <TableHead heads={[t`Model`, t`Makes`, t`Price`, t`One 4 s clip`, t`Preview`, [t`Remove`, 'vh']]} />
        <tbody>
          {fields.draft.models.map((model) => (
            <Line
              key={model.id}
              model={model}
              price={priceFor(prices.data?.prices ?? [], model.kind, model.id)}
              fields={fields}
            />
          ))}
        </tbody>
      </table>
      <div className="row">
        <Button busy={isBusy} onClick={() => void read()}>
          {t`Read prices again`}
        </Button>
        <a className="lnk" href={hashOf('settings', { section: 'models', profile: profileId })}>
          {t`What each model can do`}
        </a>
        <span className="grow" />
        <span className="t3">
          {readAt === undefined ? t`Not read yet. Reading is free.` : t`Read from the gateway, ${formatStamp(readAt)}.`}
        </span>
      </div>
      <Refusal text={refusal} />
    </>
  );
}

interface LineProps {
  model: ProfileModel;
  price: Price | undefined;
  fields: Fields;
}

function Line({ model, price, fields: { draft, change, off, profile } }: LineProps) {
  const { price: words, unit, isOpen } = priceWords(price);
  const pricing = pricingOf(model.kind);
  const cost = price && model.kind === KINDS.video.name ? costOf(price, CLIP) : undefined;
  const others = draft.models.filter(({ id }) => id !== model.id);
  return (
    <tr>
      <td title={model.id}>{model.label ?? model.id}</td>
      <td className="t2">{pricing.title}</td>
      <td>
        {price && (
          <span className={isOpen ? 'price un' : 't2'}>
            {words} {unit}
          </span>
        )}{' '}
        {(!price || isOpen) && (
          <SetPrice kind={model.kind} model={model.id} profileId={profile.id}>
            {price ? t`Set unit` : t`Set price`}
          </SetPrice>
        )}
      </td>
      <td>{cost && <PriceTag nano={cost.nano} lowNano={cost.lowNano} />}</td>
      <td>
        {pricing.hasPreviews && (
          <Checkbox
            checked={model.preview ?? false}
            disabled={off}
            onChecked={(preview) =>
              change({ models: draft.models.map((one) => (one.id === model.id ? { ...one, preview } : one)) })
            }
          >
            <span className="vh">{t`${model.id} is a preview model`}</span>
          </Checkbox>
        )}
      </td>
      <td className="r">
        {!off && (
          <IconButton label={t`Remove ${model.id}`} onClick={() => change({ models: others })}>
            <Icon of={X} />
          </IconButton>
        )}
      </td>
    </tr>
  );
}
