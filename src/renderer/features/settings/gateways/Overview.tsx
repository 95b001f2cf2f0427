import { type ReactNode, useState } from 'react';
import { originOf } from '../../../../shared/gateway/profile.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, useCall } from '../../../app/index.ts';
import { Button, CheckGlyph, Field, formatStamp, Refusal, TextInput, WhyOff } from '../../../ui/index.ts';
import { capOf, leftOf, leftWords } from '../../../words/index.ts';
import { useCheckedAt } from '../connect/facts.ts';
import { failedStep } from '../connect/Results.tsx';
import { ApiKey } from './ApiKey.tsx';
import { Report } from './CheckReport.tsx';
import styles from './gateways.module.css';
import type { TabProps } from './tabs.ts';
import type { Fields } from './useFields.ts';

/** The gateway at a glance. */
export function Overview({ fields, handle }: TabProps) {
  const { draft, change, faults, off, profile } = fields;
  return (
    <>
      {off && <WhyOff>{t`The sandbox needs no key or money.`}</WhyOff>}
      <Field className={styles.line} label={t`Name`} error={faults.name} disabled={off}>
        <TextInput value={draft.name} onValue={(name) => change({ name })} />
      </Field>
      <BaseUrl {...fields} />
      {!off && <ApiKey profileId={profile.id} place={profile.key} />}
      <Status fields={fields} handle={handle} />
      <Report profile={profile} handle={handle} />
      {!off && <Balance id={profile.id} />}
      <Budget play={off} />
    </>
  );
}

/** Another origin is another gateway, and does not get the key of this one: saving needs a button, not just leaving the field. */
function BaseUrl({ draft, change, faults, off, profile }: Fields) {
  const [typed, setTyped] = useState<string>();
  const value = typed ?? draft.baseUrl;
  const moves = originOf(value) !== originOf(profile.baseUrl);
  const save = () => {
    change({ baseUrl: value });
    setTyped(undefined);
  };
  return (
    <Field
      className={styles.line}
      label={t`Base URL`}
      hint={moves ? t`Saving another address forgets the key.` : undefined}
      error={faults.baseUrl}
      disabled={off}
    >
      <TextInput mono value={value} onValue={setTyped} />
      {typed !== undefined && typed !== profile.baseUrl && <Button onClick={save}>{t`Save address`}</Button>}
    </Field>
  );
}

function Status({ fields: { profile }, handle }: TabProps) {
  const checkedAt = useCheckedAt(profile);
  const { last, refusal } = handle;
  const hasFailed = last && failedStep(last.test) !== undefined;
  const connected = (
    <>
      <CheckGlyph /> {t`Connected`}
    </>
  );
  const value = hasFailed ? t`The check failed.` : checkedAt === undefined ? t`Not checked` : connected;
  const note = checkedAt === undefined ? t`The check costs nothing.` : t`Last checked ${formatStamp(checkedAt)}.`;
  return (
    <Row name={t`Status`} value={value} note={note}>
      <Refusal text={refusal} />
    </Row>
  );
}

function Balance({ id }: { id: string }) {
  const { data } = useCall('profiles.balance', { id }, { on: ['profiles.changed'] });
  const nano = data?.balanceNano;
  if (!data || nano === null || nano === undefined) return <Row name={t`Balance`} value={t`Not stated`} />;
  return <Row name={t`Balance`} value={formatNano(nano)} note={formatStamp(data.at)} />;
}

function Budget({ play }: { play: boolean }) {
  const { data } = useCall('budgets.list', { play }, { on: ['ledger.changed'] });
  const day = data?.budgets.find(({ scope }) => scope === 'day');
  const limit = day && capOf(day);
  const left = day && leftOf(day);
  const rule = day?.hardNano === undefined ? t`Only warn` : t`Stop at this amount`;
  return (
    <Row
      name={t`Daily budget`}
      value={limit === undefined ? t`No budget` : formatNano(limit)}
      note={left === undefined ? undefined : `${rule} · ${t`${leftWords(left)} today`}`}
      action={<Button onClick={() => navigate('spend', { budget: 'day' })}>{t`Change budget`}</Button>}
    />
  );
}

interface RowProps {
  name: string;
  value?: ReactNode;
  note?: ReactNode;
  /** Shown at the end of the line. */
  action?: ReactNode;
  children?: ReactNode;
}

/** One line on a gateway's page: name, value and action. */
const Row = ({ name, value, note, action, children }: RowProps) => (
  <section className={styles.line} aria-label={name}>
    <span className="t2">{name}</span>
    <div>
      {value && <p>{value}</p>}
      {note && <p className="t3">{note}</p>}
      {children}
    </div>
    {action}
  </section>
);
