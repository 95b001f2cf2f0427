import { type FormEvent, useEffect, useRef, useState } from 'react';
import { pricingOf } from '../../../shared/kinds/index.ts';
import { PRICINGS } from '../../../shared/kinds/pricings.ts';
import { formatNano, formatNanoRange, parseDollars } from '../../../shared/money.ts';
import { costOf, isSettled, openInterpretations, type Price } from '../../../shared/price.ts';
import { t } from '../../../shared/texts.ts';
import { announce, focusOnArrival, navigate, refusalOf, useCall, useRoute } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, CallError, Field, LoadingBars, Radios, TextAction, TextInput, WhyOff } from '../../ui/index.ts';
import { dollarsText, wordsOf } from './figures.ts';
import { ImportPrices } from './ImportPrices.tsx';

/** Every price of the book: open ones to settle, settled ones to reopen, and one's own price of an image. */
export function Prices({ profileId }: { profileId: string | undefined }) {
  const whose = profileId === undefined ? {} : { profileId };
  const { data, error, loading, reload } = useCall('prices.list', whose, {
    on: ['profiles.changed', 'ledger.changed'],
  });
  const prices = [...(data?.prices ?? [])].sort(byName);
  const twofold = prices.filter((price) => price.readings.length > 1);
  const open = twofold.filter((price) => !isSettled(price));
  const image = prices.find(isOfPictures);
  const set = async (price: Price): Promise<string | undefined> => {
    const answer = await call('prices.set', { ...whose, price });
    if (!answer.ok) return refusalOf(answer.error, t`Nothing was saved.`);
    announce(t`The price is saved`);
    reload();
    return undefined;
  };
  return (
    <>
      <div className="bar top-line">
        <h2>{t`Prices not settled`}</h2>
        <span className="grow" />
        {prices.length > 0 && <span className="t3">{t`${open.length} of ${prices.length}`}</span>}
        <ImportPrices profileId={profileId} onImported={reload} />
      </div>
      {loading && (
        <div className="pad">
          <LoadingBars rows={3} media={false} label={t`Reading the price book`} />
        </div>
      )}
      {error && !data && (
        <div className="pad">
          <CallError error={error} onRetry={reload} />
        </div>
      )}
      <Stopped />
      {twofold.map((price) => (
        <Settle key={`${price.kind} ${price.model}`} price={price} onSet={set} />
      ))}
      <Settled prices={prices} />
      {data && <ImagePrice key={dollarsText(imageNano(image))} price={image} onSet={set} />}
    </>
  );
}

/** Prices that an answer did not agree with: what is ordered at them waits, and the ways on stand in the queue. */
function Stopped() {
  const { data } = useCall('prices.mismatches', {}, { on: ['mismatch.changed'] });
  return (data?.mismatches ?? []).map(({ id, kind, model, expectedLowNano, expectedNano, statedNano, state }) => (
    <div key={id} className="sec">
      <div className="row between">
        <h3 className="cut">{model === '*' ? t`every ${kind} model` : model}</h3>
        <span className="t3">{state === 'disputed' ? t`disputed, stopped` : t`stopped`}</span>
      </div>
      <p className="t2">
        {t`Expected ${formatNanoRange(expectedLowNano, expectedNano)}, stated ${formatNano(statedNano)}. Nothing more is ordered at this price until you choose.`}{' '}
        <TextAction onClick={() => navigate('queue', { mismatch: id })}>{t`Job by job, and the ways on`}</TextAction>
      </p>
    </div>
  ));
}

/** The one price of all pictures, which has a field of its own. */
const isOfPictures = ({ kind, model }: Price): boolean => kind === PRICINGS.image.name && model === '*';

/** Settling a price must not move it on the page. */
const byName = (a: Price, b: Price): number => `${a.kind} ${a.model}`.localeCompare(`${b.kind} ${b.model}`);

export const nameOf = ({ kind, model }: Pick<Price, 'kind' | 'model'>): string =>
  model === '*' ? t`every ${kind} model` : model;

type OnSet = (price: Price) => Promise<string | undefined>;

function Settle({ price, onSet }: { price: Price; onSet: OnSet }) {
  const [error, setError] = useState<string>();
  const { example } = pricingOf(price.kind);
  const under = (settledReading: number) => costOf({ ...price, settledReading }, example.quantity).nano;
  const costs = price.readings.map((_, index) => under(index));
  const options = [
    { value: 'open', label: t`Reserve the dearer, keep both` },
    ...price.readings.map((reading, index) => ({
      value: String(index),
      label: wordsOf(reading),
      note: `${example.short} ${formatNano(costs[index] ?? 0)}`,
    })),
  ];
  const choose = async (value: string) =>
    setError(await onSet({ ...price, settledReading: value === 'open' ? null : Number(value) }));
  return (
    <div className="sec settle">
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
      {error ? (
        <p className="err">{error}</p>
      ) : (
        !isSettled(price) && (
          <WhyOff>
            {t`${example.sentence} ${formatNanoRange(Math.min(...costs), Math.max(...costs))} until then. Settling rewrites nothing; a correction is added.`}
          </WhyOff>
        )
      )}
    </div>
  );
}

function sourceOf(price: Price): string {
  if (price.settledReading !== null) return t`settled by you`;
  return price.source.replace('specification, section 8: ', '').replace(/^imported from (.+) on (\S+)$/, 'listed $2');
}

/** Prices with one reading: nothing is open about them. The image price has a field of its own. */
function Settled({ prices }: { prices: readonly Price[] }) {
  const known = prices.filter((price) => price.readings.length === 1 && !isOfPictures(price));
  if (known.length === 0) return null;
  return (
    <section className="sec" aria-label={t`Settled prices`}>
      <h3 className="lab">{t`Settled`}</h3>
      <table className="mini">
        <tbody>
          {known.map((price) => (
            <tr key={`${price.kind} ${price.model}`} title={price.source}>
              <td className="cut">{nameOf(price)}</td>
              <td className="r">{price.readings.map(wordsOf)}</td>
              <td className="r t3">{sourceOf(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Undefined where several readings are open: which of them it is stands above. */
function imageNano(price: Price | undefined): number | undefined {
  const [reading, ...others] = price ? openInterpretations(price) : [];
  return reading?.unit === 'image' && others.length === 0 ? reading.nano : undefined;
}

/** The specification lists no image price (spec 8); where the service charges for them, it is entered here. */
function ImagePrice({ price, onSet }: { price: Price | undefined; onSet: OnSet }) {
  const [text, setText] = useState(dollarsText(imageNano(price)));
  const [error, setError] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const isAskedFor = useRoute().params.get('price') === 'image';
  useEffect(() => {
    if (isAskedFor) focusOnArrival(form.current?.querySelector('input'));
  }, [isAskedFor]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const nano = parseDollars(text);
    if (nano === undefined)
      return setError(t`Price of an image: must be an amount in dollars such as 0.05. Nothing was saved.`);
    const reading = { unit: 'image' as const, nano };
    setError(await onSet({ kind: 'image', model: '*', readings: [reading], settledReading: 0, source: t`set by you` }));
  };
  return (
    <form ref={form} className="sec" onSubmit={(event) => void save(event)}>
      <Field
        label={t`Price of an image`}
        hint={price ? price.source : t`not known: its requests are counted apart`}
        error={error}
      >
        <span className="row">
          <TextInput
            value={text}
            onValue={setText}
            before="$"
            inputMode="decimal"
            aria-label={t`Price of an image in dollars`}
          />
          <Button type="submit">{t`Set`}</Button>
        </span>
      </Field>
    </form>
  );
}
