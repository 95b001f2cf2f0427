import { type FormEvent, useState } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { type Nano, parseDollars } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import { copyText } from '../../app/index.ts';
import { Button, Field, formatStamp, KeyValue, TextAction, TextInput } from '../../ui/index.ts';
import { DOUBT_INBOX, selectJob, useQueueView } from './state.ts';

/** How the job can be found on a bill. */
export function Traces({ job }: { job: Job }) {
  const { attempts, error, remoteId, model, sentAt } = job;
  const requestIds = [...new Set([...attempts.map(({ requestId }) => requestId), error?.requestId])].filter(
    (id) => id !== undefined,
  );
  const sent = sentAt ?? attempts[0]?.at;
  return (
    <>
      <KeyValue
        items={[
          [t`Sent`, sent !== undefined && formatStamp(sent)],
          [t`Model`, model],
          [t`Task`, remoteId && <Trace text={remoteId} />],
          [t`Request`, requestIds.length > 0 && requestIds.map((id) => <Trace key={id} text={id} />)],
        ]}
      />
      {requestIds.length === 0 && remoteId === undefined && (
        <p className="t3">{t`No id. Find it on the bill by time and model.`}</p>
      )}
    </>
  );
}

const Trace = ({ text }: { text: string }) => (
  <span className="row">
    <span className="mono cut" title={text}>
      {text}
    </span>
    <TextAction aria-label={t`Copy ${text}`} onClick={() => void copyText(text)}>
      {t`Copy`}
    </TextAction>
  </span>
);

/** Called when the cost is settled: the focus returns to the inbox, unless the user has moved on by then. */
export function leaveSettled(jobId: string, own: Element | null | undefined): void {
  const { activeElement } = document;
  if (activeElement === document.body || own?.contains(activeElement)) document.getElementById(DOUBT_INBOX)?.focus();
  if (useQueueView.getState().selectedId === jobId) selectJob(undefined);
}

const MOST_NANO = 1_000_000_000_000_000;

/** The typed amount in nano-dollars, or one sentence about what is wrong with it. */
export function billedOf(text: string, label: string): { nano: Nano } | { error: string } {
  const nano = parseDollars(text);
  if (nano === undefined) {
    const isTooFine = /^\$?[\d,]*\.\d{10,}$/.test(text.trim());
    const rule = isTooFine ? t`${label}: at most nine decimals.` : t`${label}: must be an amount such as 2.50.`;
    return { error: rule };
  }
  if (nano > MOST_NANO) return { error: t`${label}: must be at most a million dollars.` };
  return { nano };
}

interface BilledFieldProps {
  label: string;
  hint: string;
  /** Label of the button that submits the amount. */
  action: string;
  busy: boolean;
  error: string | undefined;
  onFault: (sentence: string) => void;
  onBilled: (nano: Nano) => void;
}

/** An amount as written on the bill. */
export function BilledField({ label, hint, action, busy, error, onFault, onBilled }: BilledFieldProps) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const billed = billedOf(text, label);
    if ('error' in billed) onFault(billed.error);
    else onBilled(billed.nano);
  };
  return (
    <form onSubmit={submit}>
      <Field label={label} hint={hint} error={error}>
        <span className="row">
          <TextInput value={text} onValue={setText} before="$" inputMode="decimal" autoComplete="off" />
          <Button type="submit" busy={busy}>
            {action}
          </Button>
        </span>
      </Field>
    </form>
  );
}
