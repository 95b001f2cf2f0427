import { useEffect, useState } from 'react';
import { allPricings, pricingOf } from '../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../shared/kinds/pricings.ts';
import { formatNano, formatNanoRange } from '../../../shared/money.ts';
import { costOf, isSettled, type Price } from '../../../shared/price.ts';
import { t } from '../../../shared/texts.ts';
import { announce, navigate, replaceParams, useAction, useCall, useRoute, useStudio } from '../../app/index.ts';
import { call, type Result } from '../../client/index.ts';
import { wordsOfReading } from '../../spending/index.ts';
import { Button, Radios, Reading, Refusal, TextAction, WhyOff } from '../../ui/index.ts';
import { nameOf } from './figures.ts';
import { ImportPrices } from './ImportPrices.tsx';
import { PriceDialog } from './PriceDialog.tsx';
import styles from './spend.module.css';
import type { PriceName } from './typedPrice.ts';

/** What a form that is opened for no price begins with. */
const FIRST: PriceName = { kind: PRICINGS.chat.name, model: '*' };

/** Every price of the book: open ones to settle, settled ones to reopen or to change, and the way to set one's own. */
export function Prices({ profileId }: { profileId: string | undefined }) {
  const whose = profileId === undefined ? {} : { profileId };
  const read = useCall('prices.list', whose, { on: ['profiles.changed', 'ledger.changed'] });
  const { data, reload } = read;
  const prices = [...(data?.prices ?? [])].sort(byName);
  const twofold = prices.filter((price) => price.readings.length > 1);
  const open = twofold.filter((price) => !isSettled(price));
  const { asked, ask, close } = useAsked();
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
      <div className="bar top-line">
        <h2>{t`Prices not settled`}</h2>
        <span className="grow" />
        {prices.length > 0 && <span className="t3">{t`${open.length} of ${prices.length}`}</span>}
        <ImportPrices profileId={profileId} onImported={reload} />
      </div>
      <Reading of={read} rows={3} label={t`Reading the price book`} />
      <Stopped />
      {twofold.map((price) => (
        <Settle key={`${price.kind} ${price.model}`} price={price} onSet={set} onAsk={ask} />
      ))}
      {data && (
        <>
          <Unknown prices={prices} onAsk={ask} />
          <div className="sec">
            <Button onClick={() => ask(FIRST)}>{t`Set a price`}</Button>
          </div>
          <Settled prices={prices} onAsk={ask} />
        </>
      )}
      {data && asked && <PriceDialog profile={profile} prices={prices} asked={asked} onSet={set} onClose={close} />}
    </>
  );
}

/** Whose form is open: by a button of the page, or by a link to it, `?price=KIND&model=ID`. */
function useAsked() {
  const route = useRoute();
  const [asked, setAsked] = useState<PriceName>();
  useEffect(() => {
    const linked = linkedPrice(route.params);
    if (linked) setAsked(linked);
  }, [route]);
  const close = () => {
    setAsked(undefined);
    // Another look at the page is none at the form.
    if (route.params.has('price')) replaceParams('spend', {});
  };
  const ask = ({ kind, model }: PriceName) => setAsked({ kind, model });
  return { asked, ask, close };
}

function linkedPrice(params: URLSearchParams): PriceName | undefined {
  const pricing = allPricings().find(({ name }) => name === params.get('price'));
  if (!pricing) return undefined;
  return { kind: pricing.name as PriceKind, model: (pricing.byModel && params.get('model')) || '*' };
}

/** Prices that an answer did not agree with: what is ordered at them waits, and the ways on stand in the queue. */
function Stopped() {
  const { data } = useCall('prices.mismatches', {}, { on: ['mismatch.changed'] });
  return (data?.mismatches ?? []).map(({ id, kind, model, expectedLowNano, expectedNano, statedNano, state }) => (
    <div key={id} className="sec">
      <div className="row between">
        <h3 className="cut">{nameOf({ kind, model })}</h3>
        <span className="t3">{state === 'disputed' ? t`disputed, stopped` : t`stopped`}</span>
      </div>
      <p className="t2">
        {t`Expected ${formatNanoRange(expectedLowNano, expectedNano)}, stated ${formatNano(statedNano)}. Nothing more is ordered at this price until you choose.`}{' '}
        <TextAction onClick={() => navigate('queue', { mismatch: id })}>{t`Job by job, and the ways on`}</TextAction>
      </p>
    </div>
  ));
}

/** Settling a price must not move it on the page. */
const byName = (a: Price, b: Price): number => `${a.kind} ${a.model}`.localeCompare(`${b.kind} ${b.model}`);

type OnSet = (price: Price) => Promise<Result<unknown>>;
/** Opens the form for a price of one's own. */
type OnAsk = (name: PriceName) => void;

function Settle({ price, onSet, onAsk }: { price: Price; onSet: OnSet; onAsk: OnAsk }) {
  const { refusal, run } = useAction();
  const { example } = pricingOf(price.kind);
  const under = (settledReading: number) => costOf({ ...price, settledReading }, example.quantity).nano;
  const costs = price.readings.map((_, index) => under(index));
  const options = [
    { value: 'open', label: t`Reserve the dearer, keep both` },
    ...price.readings.map((reading, index) => ({
      value: String(index),
      label: wordsOfReading(reading),
      note: `${example.short} ${formatNano(costs[index] ?? 0)}`,
    })),
  ];
  const choose = (value: string) =>
    run(onSet({ ...price, settledReading: value === 'open' ? null : Number(value) }), t`Nothing was saved.`);
  return (
    <div className={`sec ${styles.settle}`}>
      <div className="row between">
        <h3 className="cut">{nameOf(price)}</h3>
        <span className="t3 cut" title={price.source}>
          {sourceOf(price)}
        </span>
      </div>
      <Radios
        aria-label={t`Price of ${nameOf(price)}`}
        options={options}
        value={price.settledReading === null ? 'open' : String(price.settledReading)}
        onValue={(value) => void choose(value)}
      />
      {refusal ? (
        <Refusal text={refusal} />
      ) : (
        !isSettled(price) && (
          <WhyOff>
            {t`${example.sentence} ${formatNanoRange(Math.min(...costs), Math.max(...costs))} until then. Settling rewrites nothing; a correction is added.`}
          </WhyOff>
        )
      )}
      <TextAction aria-label={t`Another price of ${nameOf(price)}`} onClick={() => onAsk(price)}>
        {t`Another price`}
      </TextAction>
    </div>
  );
}

function sourceOf(price: Price): string {
  if (price.settledReading !== null && price.readings.length > 1) return t`settled by you`;
  return price.source.replace('specification, section 8: ', '').replace(/^imported from (.+) on (\S+)$/, 'listed $2');
}

/** Kinds of which nothing says what they cost. */
function Unknown({ prices, onAsk }: { prices: readonly Price[]; onAsk: OnAsk }) {
  const unknown = allPricings().filter(({ name }) => !prices.some(({ kind }) => kind === name));
  return unknown.map((pricing) => {
    const name: PriceName = { kind: pricing.name as PriceKind, model: '*' };
    return (
      <div key={name.kind} className="sec">
        <div className="row between">
          <h3 className="cut">{nameOf(name)}</h3>
          <TextAction aria-label={t`Set it: ${nameOf(name)}`} onClick={() => onAsk(name)}>
            {t`Set it`}
          </TextAction>
        </div>
        <p className="t3">{t`not known: its requests are counted apart`}</p>
      </div>
    );
  });
}

/** Prices with one reading: nothing is open about them. */
function Settled({ prices, onAsk }: { prices: readonly Price[]; onAsk: OnAsk }) {
  const known = prices.filter((price) => price.readings.length === 1);
  if (known.length === 0) return null;
  return (
    <section className="sec" aria-label={t`Settled prices`}>
      <h3 className="lab">{t`Settled`}</h3>
      <table className={`mini ${styles.priceKnown}`}>
        <tbody>
          {known.map((price) => (
            <tr key={`${price.kind} ${price.model}`} title={price.source}>
              <td className="cut" title={nameOf(price)}>
                {nameOf(price)}
              </td>
              <td className="r">
                <Change price={price} onAsk={onAsk} />
              </td>
              <td className="r t3">{sourceOf(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Change({ price, onAsk }: { price: Price; onAsk: OnAsk }) {
  const words = price.readings.map(wordsOfReading).join('');
  return (
    <TextAction aria-label={t`${words}, change the price of ${nameOf(price)}`} onClick={() => onAsk(price)}>
      {words}
    </TextAction>
  );
}
