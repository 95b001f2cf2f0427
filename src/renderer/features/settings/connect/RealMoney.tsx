import { useState } from 'react';
import { fail, type Result } from '../../../../shared/contract/result.ts';
import { KINDS } from '../../../../shared/kinds/index.ts';
import type { Budget } from '../../../../shared/money/ledger.ts';
import { formatNano, type Nano, nanoFromDollars, parseDollars } from '../../../../shared/money/money.ts';
import { costOf, openInterpretations, type Price, priceFor } from '../../../../shared/money/price.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, PriceTag, Reading, Refusal, Segmented, TextInput } from '../../../ui/index.ts';
import { OVER_BUDGET } from '../../../words/index.ts';
import settingsStyles from '../settings.module.css';
import styles from './connect.module.css';
import { Frame, type PartProps } from './Frame.tsx';
import { CLIP } from './facts.ts';

type Kind = 'stop' | 'warn' | 'none';

/** The price of a first clip, a daily budget, and the one button after which jobs are charged. */
export function RealMoney(props: PartProps) {
  const budgets = useCall('budgets.list', { play: false });
  return (
    <Reading of={budgets}>
      {({ budgets: all }) => <Form {...props} day={all.find(({ scope }) => scope === 'day')} />}
    </Reading>
  );
}

/** $20, unless there is a daily budget for real money already. */
const SUGGESTED = nanoFromDollars(20);

function useStart({ handle: { profile } }: PartProps, day: Budget | undefined) {
  const [amount, setAmount] = useState(((day?.hardNano ?? day?.softNano ?? SUGGESTED) / 1e9).toFixed(2));
  const [kind, setKind] = useState<Kind>(day && day.hardNano === undefined ? 'warn' : 'stop');
  const { refusal, run, isBusy } = useAction();
  const nano = parseDollars(amount);
  const save = async (): Promise<Result<unknown>> => {
    if (kind === 'none' && !day) return { ok: true, data: null };
    if (kind !== 'none' && !nano) return fail('invalid_input', t`Enter an amount such as 20.00.`);
    const limit = nano ?? null;
    const hardNano = kind === 'stop' ? limit : null;
    const softNano = kind === 'warn' ? limit : null;
    return call('budgets.set', { scope: 'day', play: false, hardNano, softNano });
  };
  const start = async () => {
    if (!profile || !(await run(save())).ok) return;
    // The budget is saved before the first job can be charged.
    if ((await run(call('profiles.activate', { id: profile.id }))).ok) navigate('storyboard');
  };
  return { amount, setAmount, kind, setKind, nano, refusal, isBusy, start };
}

function Form(props: PartProps & { day: Budget | undefined }) {
  const { handle, onLeave, day } = props;
  const { profile, facts, setStep } = handle;
  const form = useStart(props, day);
  const clips = (facts?.models ?? []).filter(({ kind }) => kind === KINDS.video.name);
  const priced = clips.flatMap(({ id }) => {
    const price = priceFor(facts?.prices ?? [], 'video', id);
    return price ? { id, price } : [];
  });
  const costs = priced.map(({ price }) => costOf(price, CLIP).nano);
  return (
    <Frame
      title={t`Start with real money`}
      lead={t`From now on, jobs at ${profile?.name} are charged.`}
      actions={
        <>
          <Button variant="primary" busy={form.isBusy} onClick={() => void form.start()}>
            {t`Start with real money`}
          </Button>
          <Button onClick={onLeave}>{t`Stay with test money`}</Button>
        </>
      }
      onBack={() => setStep('check')}
    >
      {priced.length > 0 && (
        <section className={styles.clips} aria-label={t`One 4 s clip`}>
          <h2>{t`One 4 s clip`}</h2>
          {priced.map(({ id, price }) => (
            <Clip key={id} model={id} price={price} />
          ))}
          <p className="t3">{t`Reserved at the higher price until the unit is known.`}</p>
        </section>
      )}
      <DailyBudget form={form} costs={costs} />
      <Refusal text={form.refusal} />
    </Frame>
  );
}

function DailyBudget({ form, costs }: { form: ReturnType<typeof useStart>; costs: readonly Nano[] }) {
  return (
    <section className={`col gap ${settingsStyles.figures}`} aria-label={t`Daily budget`}>
      <h2>{t`Daily budget`}</h2>
      <div className="row wrap">
        {form.kind !== 'none' && (
          <TextInput
            aria-label={t`Amount`}
            before="$"
            inputMode="decimal"
            value={form.amount}
            onValue={form.setAmount}
          />
        )}
        <Segmented
          aria-label={t`Daily budget`}
          value={form.kind}
          onValue={form.setKind}
          options={[
            { value: 'stop', label: t`Stop at this amount` },
            { value: 'warn', label: t`Only warn` },
            { value: 'none', label: t`No budget` },
          ]}
        />
      </div>
      <p className="t3">{form.kind === 'none' ? t`Nothing stops your spending.` : enough(form.nano, costs)}</p>
      {form.kind === 'stop' && <p className="t3">{OVER_BUDGET.day}</p>}
    </section>
  );
}

/** Counted with the cheapest model, at its higher price. */
function enough(nano: Nano | undefined, costs: readonly Nano[]): string {
  const least = Math.min(...costs);
  if (!nano || !Number.isFinite(least) || least === 0) return t`A budget needs prices.`;
  return t`Enough for ${Math.floor(nano / least)} clips of 4 s a day.`;
}

function Clip({ model, price }: { model: string; price: Price }) {
  const { nano, lowNano } = costOf(price, CLIP);
  const [first] = openInterpretations(price);
  const isOpen = nano !== lowNano && first && 'nano' in first;
  return (
    <div>
      <b>{model}</b>
      <PriceTag nano={nano} lowNano={lowNano} />
      {isOpen && <p className="t3">{t`Price unit not known: ${formatNano(first.nano)} per video or second.`}</p>}
    </div>
  );
}
