import { type FormEvent, type RefObject, useRef, useState } from 'react';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import { allPricings, pricingOf } from '../../../shared/kinds/index.ts';
import type { PriceKind } from '../../../shared/kinds/pricings.ts';
import { OWN_SOURCE, type Price, priceFor } from '../../../shared/money/price.ts';
import type { PriceUnit } from '../../../shared/money/quantity.ts';
import { t } from '../../../shared/text/texts.ts';
import { useAction } from '../../app/index.ts';
import type { Result } from '../../client/index.ts';
import { UNIT_WORDS } from '../../spending/index.ts';
import { Dialog, DialogActions, Field, Refusal, Segmented, Select, TextInput, WhyOff } from '../../ui/index.ts';
import { nameOf } from './figures.ts';
import { readingWords } from './ImportPrices.tsx';
import {
  fieldsOf,
  knownReading,
  PRICE_FIELDS,
  type PriceFault,
  type PriceField,
  type PriceName,
  type PriceTexts,
  textsOf,
  typedReading,
} from './typedPrice.ts';

interface PriceDialogProps {
  /** The profile whose price book it is. */
  profile: ProfileView | undefined;
  prices: readonly Price[];
  /** The price that the dialog opens with. */
  asked: PriceName;
  onSet: (price: Price) => Promise<Result<unknown>>;
  onClose: () => void;
}

/** The typed price and its model, on top of the entry in the book. */
function usePriceForm({ prices, asked, onSet, onClose }: Omit<PriceDialogProps, 'profile'>) {
  const [name, setName] = useState(asked);
  const [typed, setTyped] = useState<{ unit?: PriceUnit; texts: PriceTexts }>({ texts: {} });
  const [fault, setFault] = useState<PriceFault>();
  const { refusal, isBusy, run, refuse } = useAction();
  const { units } = pricingOf(name.kind);
  const known = knownReading(prices, name);
  const unit = typed.unit ?? known?.unit ?? (units.length === 1 ? units[0] : undefined);
  const texts = { ...textsOf(known), ...typed.texts };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const judged = typedReading(unit, texts);
    if ('error' in judged) return setFault(judged);
    setFault(undefined);
    const price = { ...name, readings: [judged.reading], settledReading: 0, source: OWN_SOURCE };
    if ((await run(onSet(price), t`Nothing was saved.`)).ok) onClose();
  };
  const choose = (next: PriceName) => {
    setName(next);
    setTyped({ texts: {} });
    setFault(undefined);
    refuse(undefined);
  };
  const onUnit = (next: PriceUnit) => setTyped({ ...typed, unit: next });
  const onText = (field: PriceField, text: string) => setTyped({ ...typed, texts: { ...typed.texts, [field]: text } });
  return { name, choose, amounts: { units, unit, onUnit, texts, onText, fault }, refusal, isBusy, save };
}

/** A price set by the user: for one model, or for every model of a kind without one, in the units of that kind. */
export function PriceDialog({ profile, ...props }: PriceDialogProps) {
  const { prices, asked, onClose } = props;
  const { name, choose, amounts, refusal, isBusy, save } = usePriceForm(props);
  const first = useRef<HTMLInputElement>(null);
  const title = profile ? t`Set a price for ${profile.name}` : t`Set a price`;
  return (
    <Dialog open onClose={onClose} title={title} width={420} initialFocus={first}>
      <form className="col gap" onSubmit={(event) => void save(event)}>
        <Whose name={name} models={modelsOf(profile, prices, name, asked)} onName={choose} />
        <Now price={priceFor(prices, name.kind, name.model === '*' ? undefined : name.model)} />
        <Amounts first={first} {...amounts} />
        {refusal ? <Refusal text={refusal} /> : <WhyOff>{t`Waiting jobs get this price. Past charges stay.`}</WhyOff>}
        <div className="row end">
          <span className="grow" />
          <DialogActions type="submit" busy={isBusy} onClose={onClose}>
            {t`Save price`}
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

/** Every model of the kind: from the profile, from the book, and the requested one. */
function modelsOf(
  profile: ProfileView | undefined,
  prices: readonly Price[],
  { kind }: PriceName,
  asked: PriceName,
): string[] {
  const own = (profile?.models ?? []).filter((model) => model.kind === kind).map(({ id }) => id);
  const priced = [...prices, asked].filter((price) => price.kind === kind).map(({ model }) => model);
  return [...new Set(['*', ...own, ...priced])];
}

interface WhoseProps {
  name: PriceName;
  models: readonly string[];
  onName: (name: PriceName) => void;
}

const Whose = ({ name, models, onName }: WhoseProps) => (
  <div className="g2">
    <Field label={t`Kind`}>
      <Select
        aria-label={t`Kind`}
        options={allPricings().map((pricing) => ({ value: pricing.name as PriceKind, label: pricing.title }))}
        value={name.kind}
        onValue={(kind) => onName({ kind, model: '*' })}
      />
    </Field>
    <Field label={t`Model`}>
      <Select
        aria-label={t`Model`}
        options={models.map((model) => ({ value: model, label: nameOf({ kind: name.kind, model }) }))}
        value={name.model}
        onValue={(model) => onName({ kind: name.kind, model })}
      />
    </Field>
  </div>
);

/** The price used until the new one is set. */
const Now = ({ price }: { price: Price | undefined }) => (
  <div className="row between">
    <span className="t3">{t`Now`}</span>
    <div className="t2 r">{readingWords(price ?? null)}</div>
  </div>
);

type AmountsProps = ReturnType<typeof usePriceForm>['amounts'] & { first: RefObject<HTMLInputElement | null> };

/** The amounts of a price, and the unit if there are several. */
function Amounts({ first, units, unit, onUnit, texts, onText, fault }: AmountsProps) {
  const errorAt = (field: PriceFault['field']) => (fault?.field === field ? fault.error : undefined);
  const only = units.length === 1 ? units[0] : undefined;
  return (
    <div className="g2">
      {fieldsOf(unit).map((field, at) => {
        const { label, hint = only && UNIT_WORDS[only] } = PRICE_FIELDS[field];
        return (
          <Field key={field} label={label} hint={hint} error={errorAt(field)}>
            <TextInput
              ref={at === 0 ? first : undefined}
              value={texts[field] ?? ''}
              onValue={(text) => onText(field, text)}
              before="$"
              inputMode="decimal"
            />
          </Field>
        );
      })}
      {units.length > 1 && (
        <Field label={t`Unit`} error={errorAt('unit')}>
          <Segmented
            full
            aria-label={t`Unit`}
            options={units.map((value) => ({ value, label: UNIT_WORDS[value] }))}
            value={unit ?? null}
            onValue={onUnit}
          />
        </Field>
      )}
    </div>
  );
}
