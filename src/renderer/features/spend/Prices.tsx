import { type FormEvent, useState } from 'react';
import { formatNano, formatNanoRange } from '../../../shared/money.ts';
import { costOf, isSettled, type Price, type PriceReading, type Quantity } from '../../../shared/price.ts';
import { announce, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, CallError, Field, LoadingBars, Radios, TextInput, WhyOff } from '../../ui/index.ts';
import { dollarsText, parseDollars } from './figures.ts';

/** Every price of the book: open ones to settle, settled ones to reopen, and one's own price of an image. */
export function Prices() {
  const { data, error, loading, reload } = useCall('prices.list', {}, { on: ['profiles.changed', 'ledger.changed'] });
  const prices = [...(data?.prices ?? [])].sort(byName);
  const twofold = prices.filter((price) => price.readings.length > 1);
  const open = twofold.filter((price) => !isSettled(price));
  const image = prices.find((price) => price.kind === 'image' && price.model === '*');
  const set = async (price: Price): Promise<string | undefined> => {
    const answer = await call('prices.set', { price });
    if (!answer.ok) return `${answer.error.message} Nothing was saved.`;
    announce('The price is saved');
    reload();
    return undefined;
  };
  return (
    <>
      <div className="bar top-line">
        <h2>Prices not settled</h2>
        <span className="grow" />
        <span className="t3">
          {open.length} of {prices.length}
        </span>
      </div>
      {loading && (
        <div className="pad">
          <LoadingBars rows={3} media={false} label="Reading the price book" />
        </div>
      )}
      {error && !data && (
        <div className="pad">
          <CallError error={error} onRetry={reload} />
        </div>
      )}
      {twofold.map((price) => (
        <Settle key={`${price.kind} ${price.model}`} price={price} onSet={set} />
      ))}
      {data && <ImagePrice key={dollarsText(imageNano(image))} price={image} onSet={set} />}
    </>
  );
}

/** Settling a price must not move it on the page. */
const byName = (a: Price, b: Price): number => `${a.kind} ${a.model}`.localeCompare(`${b.kind} ${b.model}`);

const nameOf = ({ kind, model }: Price): string => (model === '*' ? `every ${kind} model` : model);

const perMillion = (nano: number): string => (nano / 1_000).toFixed(2);

function wordsOf(reading: PriceReading): string {
  if (reading.unit === 'token') return `${perMillion(reading.inputNano)} in, ${perMillion(reading.outputNano)} out`;
  return `${formatNano(reading.nano)} per ${reading.unit}`;
}

/** An example that makes the readings comparable: one 8 s video, or a million tokens each way. */
const EXAMPLES: Record<Price['kind'], { words: string; sentence: string; quantity: Quantity }> = {
  video: { words: '8 s is', sentence: '8 s is', quantity: { seconds: 8, videos: 1 } },
  chat: {
    words: '1 M each way',
    sentence: 'A million tokens each way is',
    quantity: { inputTokens: 1_000_000, outputTokens: 1_000_000 },
  },
  image: { words: 'one is', sentence: 'One is', quantity: { images: 1 } },
};

type OnSet = (price: Price) => Promise<string | undefined>;

function Settle({ price, onSet }: { price: Price; onSet: OnSet }) {
  const [error, setError] = useState<string>();
  const example = EXAMPLES[price.kind];
  const under = (settledReading: number) => costOf({ ...price, settledReading }, example.quantity).nano;
  const costs = price.readings.map((_, index) => under(index));
  const options = [
    { value: 'open', label: 'Reserve the dearer, keep both' },
    ...price.readings.map((reading, index) => ({
      value: String(index),
      label: wordsOf(reading),
      note: `${example.words} ${formatNano(costs[index] ?? 0)}`,
    })),
  ];
  const choose = async (value: string) =>
    setError(await onSet({ ...price, settledReading: value === 'open' ? null : Number(value) }));
  return (
    <div className="sec settle">
      <div className="row between">
        <h3 className="cut">{nameOf(price)}</h3>
        <span className="t3 cut" title={price.source}>
          {isSettled(price) ? 'settled by you' : price.source.replace('specification, section 8: ', '')}
        </span>
      </div>
      <Radios
        aria-label={`Price of ${nameOf(price)}`}
        options={options}
        value={price.settledReading === null ? 'open' : String(price.settledReading)}
        onValue={(value) => void choose(value)}
      />
      {error ? (
        <p className="err">{error}</p>
      ) : (
        !isSettled(price) && (
          <WhyOff>
            {example.sentence} {formatNanoRange(Math.min(...costs), Math.max(...costs))} until then. Settling rewrites
            nothing; a correction is added.
          </WhyOff>
        )
      )}
    </div>
  );
}

function imageNano(price: Price | undefined): number | undefined {
  const reading = price?.readings[0];
  return reading?.unit === 'image' ? reading.nano : undefined;
}

/** The specification lists no image price (spec 8); where the service charges for them, it is entered here. */
function ImagePrice({ price, onSet }: { price: Price | undefined; onSet: OnSet }) {
  const [text, setText] = useState(dollarsText(imageNano(price)));
  const [error, setError] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const nano = parseDollars(text);
    if (nano === undefined)
      return setError('Price of an image: must be an amount in dollars such as 0.05. Nothing was saved.');
    const reading = { unit: 'image' as const, nano };
    setError(await onSet({ kind: 'image', model: '*', readings: [reading], settledReading: 0, source: 'set by you' }));
  };
  return (
    <form className="sec" onSubmit={(event) => void save(event)}>
      <Field
        label="Price of an image"
        hint={price?.source === 'set by you' ? 'set by you' : 'not listed'}
        error={error}
      >
        <span className="row">
          <TextInput
            value={text}
            onValue={setText}
            before="$"
            inputMode="decimal"
            aria-label="Price of an image in dollars"
          />
          <Button type="submit">Set</Button>
        </span>
      </Field>
    </form>
  );
}
