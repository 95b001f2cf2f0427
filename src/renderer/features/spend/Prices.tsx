import { type ReactNode, useEffect, useState } from 'react';
import { allPricings, pricingOf } from '../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../shared/kinds/pricings.ts';
import { formatNano, type Nano } from '../../../shared/money/money.ts';
import { costOf, isSettled, type Price } from '../../../shared/money/price.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, navigate, replaceParams, useAction, useCall, useRoute, useStudio } from '../../app/index.ts';
import { call, type Result } from '../../client/index.ts';
import { wordsOfReading } from '../../spending/index.ts';
import { Button, Radios, Reading, Refusal, Section, TextAction } from '../../ui/index.ts';
import { nameOf } from './figures.ts';
import { ImportPrices } from './ImportPrices.tsx';
import { PriceDialog } from './PriceDialog.tsx';
import styles from './spend.module.css';
import type { PriceName } from './typedPrice.ts';

/** The selection of a form that is not opened for a certain price. */
const FIRST: PriceName = { kind: PRICINGS.chat.name, model: '*' };

/** The price to decide first, then `children`, and at the end every price of the gateway. */
export function Prices({ profileId, children }: { profileId: string | undefined; children?: ReactNode }) {
  const whose = profileId === undefined ? {} : { profileId };
  const read = useCall('prices.list', whose, { on: ['profiles.changed', 'ledger.changed'] });
  const { data, reload } = read;
  const prices = [...(data?.prices ?? [])].sort(byName);
  const { asked, ask, close } = useAsked();
  const [again, setAgain] = useState<PriceName>();
  const change: OnAsk = (name) => {
    const isTwofold = prices.some((price) => isSame(price, name) && price.readings.length > 1);
    if (isTwofold) setAgain(name);
    else ask(name);
  };
  const profile = useStudio(({ profiles, activeProfileId }) =>
    profiles.find(({ id }) => id === (profileId ?? activeProfileId)),
  );
  const set: OnSet = async (price) => {
    const answer = await call('prices.set', { ...whose, price });
    if (!answer.ok) return answer;
    announce(t`The price is saved`);
    reload();
    return answer;
  };
  return (
    <>
      <Stopped />
      <Questions prices={prices} again={again} onSet={set} onAsk={ask} onAgain={setAgain} />
      {children}
      <Section title={t`Prices`} end={<ImportPrices profileId={profileId} onImported={reload} />}>
        <Reading of={read} rows={3}>
          {() => <Known prices={prices} onAsk={change} />}
        </Reading>
        {data && (
          <div className="mt">
            <Button onClick={() => ask(FIRST)}>{t`Set a price`}</Button>
          </div>
        )}
      </Section>
      {data && asked && <PriceDialog profile={profile} prices={prices} asked={asked} onSet={set} onClose={close} />}
    </>
  );
}

/** The price whose form is open: opened by a button, or by a link, `?price=KIND&model=ID`. */
function useAsked() {
  const route = useRoute();
  const [asked, setAsked] = useState<PriceName>();
  useEffect(() => {
    const linked = linkedPrice(route.params);
    if (linked) setAsked(linked);
  }, [route]);
  const close = () => {
    setAsked(undefined);
    // Removed from the address, so that the form does not open again with the page.
    if (route.params.has('price')) replaceParams('spend', {});
  };
  const ask = ({ kind, model }: PriceName) => setAsked({ kind, model });
  return { asked, ask, close };
}

function linkedPrice(params: URLSearchParams): PriceName | undefined {
  const pricing = allPricings().find(({ name }) => name === params.get('price'));
  if (!pricing) return undefined;
  return { kind: pricing.name as PriceKind, model: params.get('model') || '*' };
}

/** Prices that a reply contradicted: their jobs wait, and the options are in Queue. */
function Stopped() {
  const { data } = useCall('prices.mismatches', {}, { on: ['mismatch.changed'] });
  return (data?.mismatches ?? []).map(({ id, kind, model, state }) => (
    <Section
      key={id}
      title={t`Price of ${nameOf({ kind, model })}`}
      end={<TextAction onClick={() => navigate('queue')}>{t`Resolve in Queue`}</TextAction>}
    >
      <p className="t3">{state === 'disputed' ? t`Disputed, paused` : t`Paused`}</p>
    </Section>
  ));
}

/** Sorted by name, so that setting a price does not move it on the page. */
const byName = (a: Price, b: Price): number => `${a.kind} ${a.model}`.localeCompare(`${b.kind} ${b.model}`);

type OnSet = (price: Price) => Promise<Result<unknown>>;
/** Opens the form to set a price. */
type OnAsk = (name: PriceName) => void;

const isOpen = (price: Price): boolean => price.readings.length > 1 && !isSettled(price);

const isSame = (price: Price, { kind, model }: PriceName): boolean => price.kind === kind && price.model === model;

interface QuestionsProps {
  prices: readonly Price[];
  /** A price to decide again, shown before the open ones. */
  again: PriceName | undefined;
  onSet: OnSet;
  onAsk: OnAsk;
  onAgain: (name: PriceName | undefined) => void;
}

/** One price at a time, the highest first; a postponed one comes last. */
function Questions({ prices, again, onSet, onAsk, onAgain }: QuestionsProps) {
  const [turn, setTurn] = useState(0);
  const open = prices.filter(isOpen).sort((one, other) => exampleNano(other) - exampleNano(one));
  const chosen = again && prices.find((price) => isSame(price, again));
  const at = chosen ? open.indexOf(chosen) : turn % Math.max(1, open.length);
  const price = chosen ?? open[at];
  if (!price) return null;
  const later = () => {
    onAgain(undefined);
    setTurn(at + 1);
  };
  const set: OnSet = async (next) => {
    const answer = await onSet(next);
    if (answer.ok) onAgain(undefined);
    return answer;
  };
  const place = at < 0 || open.length === 1 ? nameOf(price) : t`${nameOf(price)}, ${at + 1} of ${open.length}`;
  return (
    <Section title={titleOf(price)}>
      <Question
        key={`${price.kind} ${price.model}`}
        {...{ price, place, onAsk }}
        onSet={set}
        onLater={chosen || open.length > 1 ? later : undefined}
      />
    </Section>
  );
}

const exampleNano = (price: Price): Nano => costOf(price, pricingOf(price.kind).example.quantity).nano;

/** The choice of keeping both interpretations. */
const OPEN = 'open';

function titleOf(price: Price): string {
  if (isSettled(price)) return t`Change price`;
  if (price.readings.length === 0) return t`No price set`;
  return isUnitOpen(price) ? t`Price unit not known` : t`Choose a price`;
}

const isUnitOpen = ({ readings }: Price): boolean => new Set(readings.map(({ unit }) => unit)).size > 1;

interface QuestionProps {
  price: Price;
  /** The name of the price, and its position if there are several. */
  place: string;
  onSet: OnSet;
  onAsk: OnAsk;
  onLater: (() => void) | undefined;
}

function Question({ price, place, onSet, onAsk, onLater }: QuestionProps) {
  const { refusal, isBusy, run } = useAction();
  const now = price.settledReading ?? undefined;
  const [chosen, setChosen] = useState(now === undefined ? undefined : String(now));
  const { example } = pricingOf(price.kind);
  const options = [
    ...price.readings.map((reading, index) => ({
      value: String(index),
      label: wordsOfReading(reading),
      note: `${example.short}: ${formatNano(exampleNano({ ...price, settledReading: index }))}`,
    })),
    ...(now === undefined ? [] : [{ value: OPEN, label: t`Not known` }]),
  ];
  const save = () =>
    run(onSet({ ...price, settledReading: chosen === OPEN ? null : Number(chosen) }), t`Nothing was saved.`);
  return (
    <>
      <p className="t2 cut" title={price.source}>
        {place}
      </p>
      <Radios aria-label={t`Price of ${nameOf(price)}`} options={options} value={chosen ?? null} onValue={setChosen} />
      <Refusal text={refusal} />
      <p className="t3">{t`Reserved at the higher price until you choose.`}</p>
      <div className="row wrap mt">
        <Button
          busy={isBusy}
          off={chosen === undefined ? t`Choose a price first.` : undefined}
          onClick={() => void save()}
        >
          {t`Set price`}
        </Button>
        <TextAction aria-label={t`Another price for ${nameOf(price)}`} onClick={() => onAsk(price)}>
          {t`Another price…`}
        </TextAction>
        <span className="grow" />
        {onLater && <TextAction onClick={onLater}>{now === undefined ? t`Decide later` : t`Cancel`}</TextAction>}
      </div>
    </>
  );
}

function sourceOf(price: Price): string {
  if (isOpen(price)) return t`Price unit not known`;
  if (price.settledReading !== null && price.readings.length > 1) return t`Set by you`;
  return price.source.replace('specification, section 8: ', '').replace(/^imported from (.+) on (\S+)$/, 'listed $2');
}

const unitAndSource = (price: Price): string =>
  [price.readings.some(({ unit }) => unit === 'token') && t`$ per million tokens`, sourceOf(price)]
    .filter(Boolean)
    .join(' · ');

/** Every price with its source, and each kind without one. A click changes it. */
function Known({ prices, onAsk }: { prices: readonly Price[]; onAsk: OnAsk }) {
  const missing = allPricings()
    .filter(({ name }) => !prices.some(({ kind }) => kind === name))
    .map(({ name }): PriceName => ({ kind: name as PriceKind, model: '*' }));
  return (
    <table className={`mini ${styles.prices}`} aria-label={t`Prices`}>
      <tbody>
        {prices.map((price) => (
          <PriceRow key={`${price.kind} ${price.model}`} name={price} source={unitAndSource(price)} onAsk={onAsk}>
            {(isSettled(price) ? [settledOf(price)] : price.readings).map(wordsOfReading).join(' / ')}
          </PriceRow>
        ))}
        {missing.map((name) => (
          <PriceRow key={name.kind} name={name} source="" onAsk={onAsk}>
            {t`No price set`}
          </PriceRow>
        ))}
      </tbody>
    </table>
  );
}

const settledOf = ({ readings, settledReading }: Price) => readings[settledReading ?? 0] as Price['readings'][number];

function PriceRow(props: { name: PriceName; source: string; onAsk: OnAsk; children: string }) {
  const { name, source, onAsk, children } = props;
  return (
    <tr>
      <td>
        <p className="cut" title={nameOf(name)}>
          {nameOf(name)}
        </p>
        <p className="t3 cut">{source}</p>
      </td>
      <td className="r">
        <TextAction aria-label={t`${children}, price of ${nameOf(name)}`} onClick={() => onAsk(name)}>
          {children}
        </TextAction>
      </td>
    </tr>
  );
}
