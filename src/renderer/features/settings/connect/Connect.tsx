import { X } from 'lucide-react';
import type { FormEvent } from 'react';
import { addressOf } from '../../../../shared/gateway/profile.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { focusOnArrival, Mark, navigate, useCall } from '../../../app/index.ts';
import { Button, CheckGlyph, Field, Figure, Icon, IconButton, plural, TextInput, WhyOff } from '../../../ui/index.ts';
import { KEY_PLACE_WORDS, STEP_WORDS } from '../../../words/index.ts';
import styles from './connect.module.css';
import { Frame, type PartProps } from './Frame.tsx';
import { type Facts, kindWords, pricedCounts } from './facts.ts';
import { RealMoney } from './RealMoney.tsx';
import { type FailedStep, failedStep, Results } from './Results.tsx';
import { type ConnectHandle, type ConnectStep, nameOfAddress, useConnect } from './useConnect.ts';

/** A gateway in three steps: address and key, six checks without a paid request, real money. */
export function Connect() {
  const handle = useConnect();
  const { profile } = handle;
  const close = () => navigate('settings', { section: 'gateways', ...(profile && { profile: profile.id }) });
  const Part = { address: Address, check: Check, money: RealMoney }[handle.step];
  return (
    <div className={styles.connect}>
      <header className="top">
        <span className="mark">
          <Mark />
        </span>
        <b>{t`Connect a gateway`}</b>
        <span className="grow" />
        <IconButton label={t`Close`} onClick={close}>
          <Icon of={X} />
        </IconButton>
      </header>
      <Steps handle={handle} />
      <main className={styles.body} data-page="connect">
        <Part handle={handle} onLeave={close} />
      </main>
    </div>
  );
}

/** The last four characters of a long key: enough to tell two keys apart. */
const keyEnd = (key: string): string => (key.length > 16 ? t`Key ends in ${key.slice(-4)}` : '');

const PLACES: readonly ConnectStep[] = ['address', 'check', 'money'];

/** The three steps, with the decisions so far. */
function Steps({ handle: { step, entries, test, facts } }: { handle: ConnectHandle }) {
  const at = PLACES.indexOf(step);
  const address = addressOf(entries.baseUrl);
  const failed = test && failedStep(test);
  const count = facts?.models.length ?? 0;
  const stopped = failed && t`Stopped at: ${STEP_WORDS[failed.name]}`;
  const notes = [
    [
      t`Gateway`,
      at > 0 && address ? [new URL(address).host, keyEnd(entries.apiKey)].join('\n').trim() : t`Address and key`,
    ],
    [t`Check`, at === 0 || !test ? t`The check costs nothing.` : (stopped ?? plural(count, 'model'))],
    [t`Real money`, t`Daily budget`],
  ] as const;
  return (
    <nav className={styles.steps} aria-label={t`Steps`}>
      <ol>
        {notes.map(([name, note], place) => (
          <li key={name} aria-current={place === at ? 'step' : undefined} data-done={place < at || undefined}>
            <i>{place < at ? <CheckGlyph /> : place + 1}</i>
            <b>{name}</b>
            <p>{note}</p>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const faultAt = ({ error }: ConnectHandle, field: string): string | undefined =>
  error?.data?.field === field ? error.message.replace(`${field}: `, '') : undefined;

function Address({ handle, onLeave }: PartProps) {
  const { entries, enter, name, isBusy, connect, error } = handle;
  const { data } = useCall('profiles.list', {});
  const off = entries.baseUrl.trim() === '' ? t`Enter the base URL first.` : undefined;
  const go = (event: FormEvent) => {
    event.preventDefault();
    if (!off) void connect();
  };
  const isElsewhere = error && !['baseUrl', 'apiKey', 'name'].includes(String(error.data?.field));
  return (
    <Frame
      onSubmit={go}
      title={t`Address and key`}
      lead={t`Both are on your gateway’s account page.`}
      actions={
        <>
          <Button variant="primary" type="submit" off={off} busy={isBusy}>
            {t`Connect`}
          </Button>
          <Button variant="ghost" onClick={onLeave}>
            {t`Cancel`}
          </Button>
          <span className="grow" />
          {off ? <WhyOff>{off}</WhyOff> : <span className="t3">{t`The check costs nothing.`}</span>}
        </>
      }
    >
      <Field label={t`Base URL`} hint={t`Without /v1`} error={faultAt(handle, 'baseUrl')}>
        <TextInput ref={focusOnArrival} value={entries.baseUrl} onValue={(baseUrl) => enter({ baseUrl })} />
      </Field>
      <Field label={t`API key`} hint={data && KEY_PLACE_WORDS[data.keyStore]} error={faultAt(handle, 'apiKey')}>
        <TextInput type="password" autoComplete="off" value={entries.apiKey} onValue={(apiKey) => enter({ apiKey })} />
      </Field>
      <Field label={t`Name`} error={faultAt(handle, 'name')}>
        <TextInput value={entries.name} onValue={(typed) => enter({ name: typed })} placeholder={name} />
      </Field>
      {isElsewhere && <p className="err">{error.message}</p>}
    </Frame>
  );
}

const FAILED: Record<FailedStep['name'], string> = {
  dns: t`The address was not found`,
  connect: t`The gateway does not answer`,
  tls: t`The certificate is not valid`,
  key: t`The gateway refused the key`,
  protocol: t`This address is not a gateway`,
};

function Check({ handle, onLeave }: PartProps) {
  const { test, facts, setStep, profile, entries } = handle;
  if (!test) return null;
  const failed = failedStep(test);
  const isKey = failed?.name === 'key';
  const advice = isKey ? t`Paste the key again or create a new one.` : t`Check the address and your network.`;
  return (
    <Frame
      title={failed ? FAILED[failed.name] : t`${profile?.name ?? nameOfAddress(entries.baseUrl)} is connected`}
      lead={failed ? advice : t`Nothing was charged. Jobs still use test money.`}
      onBack={() => setStep('address')}
      actions={
        failed ? (
          <Button onClick={onLeave}>{t`Save and connect later`}</Button>
        ) : (
          <Button variant="primary" onClick={() => setStep('money')}>
            {t`Continue`}
          </Button>
        )
      }
    >
      <Results test={test} beside={failed ? { [failed.name]: <Fix handle={handle} isKey={isKey} /> } : {}} />
      {facts && <Found facts={facts} />}
    </Frame>
  );
}

/** The fix for a failed step: the key or the address, and one button. */
function Fix({ handle: { entries, enter, connect, isBusy, error }, isKey }: { handle: ConnectHandle; isKey: boolean }) {
  const { apiKey, baseUrl } = entries;
  const go = (event: FormEvent) => {
    event.preventDefault();
    void connect();
  };
  return (
    <form className="stack mt" onSubmit={go}>
      <div className="row">
        {isKey ? (
          <TextInput
            aria-label={t`API key`}
            type="password"
            autoComplete="off"
            value={apiKey}
            onValue={(typed) => enter({ apiKey: typed })}
          />
        ) : (
          <TextInput aria-label={t`Base URL`} value={baseUrl} onValue={(typed) => enter({ baseUrl: typed })} />
        )}
        <Button variant="primary" type="submit" busy={isBusy}>
          {t`Check again`}
        </Button>
      </div>
      {error && <p className="err">{error.message}</p>}
    </form>
  );
}

function Found({ facts }: { facts: Facts }) {
  const { models, balanceNano } = facts;
  const { priced, withoutUnit } = pricedCounts(facts);
  return (
    <dl className={`figbar ${styles.facts}`}>
      <Figure name={t`Models`} value={models.length}>
        {kindWords(models)}
      </Figure>
      <Figure name={t`Balance`} value={balanceNano === null ? t`Not known` : formatNano(balanceNano)}>
        {''}
      </Figure>
      <Figure name={t`Prices`} value={t`${priced} of ${models.length}`}>
        {withoutUnit > 0 && t`${withoutUnit} without a unit`}
      </Figure>
    </dl>
  );
}
