import { useMemo, useState } from 'react';
import { formatNano } from '../../../../shared/money.ts';
import type { NightStatus } from '../../../../shared/night.ts';
import { useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { SpendBar, untilAnswered } from '../../../spending/index.ts';
import { Dialog, Field, formatClock, formatStamp, PriceTag, plural, TextInput, WhyOff } from '../../../ui/index.ts';
import { reasonsOf } from '../../../words/index.ts';
import { faultAt, formOf, LABELS, type PlanField, type PlanForm, planOf } from './planForm.ts';

const TYPING_MS = 250;

interface PlanFault {
  field?: PlanField;
  error: string;
}

/** A window, its hard cap and its rules; what would be sent stands at the button. */
export function PlanDialog({ status, onClose }: { status: NightStatus; onClose: () => void }) {
  const [form, setForm] = useState<PlanForm>(() => formOf(status.current ?? status.last));
  const [fault, setFault] = useState<PlanFault>();
  const judged = useMemo(() => planOf(form), [form]);
  const change = (part: Partial<PlanForm>) => {
    setFault(undefined);
    setForm({ ...form, ...part });
  };
  const save = async () => {
    if ('error' in judged) return refuse(judged);
    const answer = await untilAnswered(() => call('night.plan', judged.plan));
    if (!answer.ok) {
      const [reason] = reasonsOf(answer.error);
      return reason ? refuse(faultAt(reason)) : answer.error;
    }
    onClose();
    return undefined;
  };
  /** What is wrong with one field is said there, the rest at the button. */
  const refuse = (found: PlanFault): string | undefined => {
    setFault(found);
    return found.field ? undefined : found.error;
  };
  const action = status.current ? 'Change the night' : 'Arm the night';
  return (
    <Dialog
      open
      onClose={onClose}
      title={status.current ? `Night ${status.current.number}` : 'Plan a night'}
      width={420}
    >
      <div className="spend-dlg">
        <PlanFields form={form} fault={fault} change={change} isOpen={status.current?.state === 'open'} />
        <SpendBar label={action} off={undefined} onSend={save} unknown={UNKNOWN} onCancel={onClose}>
          <Preview judged={judged} />
        </SpendBar>
      </div>
    </Dialog>
  );
}

const UNKNOWN = 'The night may be planned so all the same. Planned again as it is, it stays one night.';

interface PlanFieldsProps {
  form: PlanForm;
  fault: PlanFault | undefined;
  change: (part: Partial<PlanForm>) => void;
  /** A night that is open has begun: its start stays. */
  isOpen: boolean;
}

function PlanFields({ form, fault, change, isOpen }: PlanFieldsProps) {
  const input = (field: PlanField, more: { before?: string; after?: string; off?: boolean } = {}) => (
    <Field label={LABELS[field]} error={fault?.field === field ? fault.error : undefined} disabled={more.off === true}>
      <TextInput
        value={form[field]}
        onValue={(value) => change({ [field]: value })}
        before={more.before}
        after={more.after && <span className="t3">{more.after}</span>}
        inputMode={field === 'start' || field === 'end' ? 'text' : 'decimal'}
        disabled={more.off}
      />
    </Field>
  );
  return (
    <div className="col gap">
      <div className="g3">
        {input('start', { off: isOpen })}
        {input('end')}
        {input('cap', { before: '$' })}
      </div>
      <fieldset className="rules">
        <legend>It stops by itself after, or below</legend>
        <div className="g2">
          {input('failures')}
          {input('refusals')}
          {input('budgetFloor', { before: '$' })}
          {input('balanceFloor', { before: '$' })}
          {input('diskFloor', { after: 'GB' })}
        </div>
      </fieldset>
      <WhyOff>
        An empty field is no rule. What was not sent when the night ends stays waiting; nothing of it is sent by itself.
      </WhyOff>
    </div>
  );
}

/** What the studio says to the plan as typed: the window it means, what would be sent, and for how much. */
function Preview({ judged }: { judged: ReturnType<typeof planOf> }) {
  const plan = 'plan' in judged ? judged.plan : undefined;
  const { data, error, stale } = useCall('night.dryRun', plan ? { plan } : null, { debounceMs: TYPING_MS });
  if ('error' in judged || !data)
    return <p className="t3 preview">{error ? error.message : 'Working out what would be sent'}</p>;
  return (
    <div className={`preview ${stale ? 't3' : ''}`} role="status">
      <div className="row">
        <span>
          {formatStamp(data.startsAt)} to {formatClock(data.endsAt)}, {plural(data.fitCount, 'job')}
        </span>
        <span className="grow" />
        <PriceTag nano={data.totalNano} lowNano={data.totalLowNano} unpriced={data.unpriced} />
      </div>
      <p className="t3">
        {formatNano(Math.max(0, data.capLeftNano))} of {formatNano(data.capNano)} left.{' '}
        {data.unfitCount === 0 ? 'Everything fits.' : `${plural(data.unfitCount, 'job')} would not fit.`}
      </p>
    </div>
  );
}
