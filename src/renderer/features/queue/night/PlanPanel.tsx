import { Moon } from 'lucide-react';
import { useState } from 'react';
import type { NightPlan, NightRun, NightStatus } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { ActionButton, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { SpendBar, SpendDialog, useNightOrder, useOrderOff } from '../../../spending/index.ts';
import { Button, formatStamp, Icon, Panel, Refusal, Select, WhyOff } from '../../../ui/index.ts';
import { reasonsOf } from '../../../words/index.ts';
import { armNight } from './armNight.ts';
import { KeptPlans, PlanName, useKeptPlans } from './KeptPlans.tsx';
import styles from './night.module.css';
import { Hours, MoneyPart, Rules, WhileItRuns } from './PlanFields.tsx';
import { Ordered, PlanPrice } from './PlanPrice.tsx';
import { faultAt, formOf, type PlanFault, type PlanForm, type planOf } from './planForm.ts';
import { StopNight } from './StopNight.tsx';
import { type Trial, useTrial } from './trial.ts';

export interface PlanPanelProps {
  status: NightStatus;
  form: PlanForm;
  change: (part: Partial<PlanForm>) => void;
  judged: ReturnType<typeof planOf>;
  trial: Trial;
}

/** Hours, days, money and rules of the run; the jobs and their price are at the button that schedules it. */
export function PlanPanel(props: PlanPanelProps) {
  const { status, form, change, judged, trial } = props;
  const [fault, setFault] = useState<PlanFault>();
  const shown: PlanFault | undefined = fault ?? trial.fault;
  const set = (part: Partial<PlanForm>) => {
    setFault(undefined);
    change(part);
  };
  const arm = async () => {
    if ('error' in judged) return judged.error;
    const error = await armNight(status, judged.plan);
    const [reason] = error ? reasonsOf(error) : [];
    if (!reason) return error;
    const found = faultAt(reason);
    setFault(found);
    return found.error;
  };
  const current = status.current;
  const number = current?.number ?? (status.last?.number ?? 0) + 1;
  const isOrdered = useNightOrder(({ order }) => order !== undefined);
  const orderOff = useOrderOff();
  const isAsArmed = current !== null && JSON.stringify(form) === JSON.stringify(formOf(current));
  return (
    <Panel label={t`Plan`} className={styles.nplan}>
      <div className="bar">
        <Icon of={Moon} />
        <h2>{t`Plan`}</h2>
        <span className="grow" />
        <PlanChoice status={status} onPlan={set} />
      </div>
      <div className="scroll">
        {!current && status.last?.notOpened && <WhyOff>{status.last.notOpened}</WhyOff>}
        <Hours form={form} set={set} fault={shown} isOpen={current?.state === 'open'} dry={trial.dry} />
        <MoneyPart form={form} set={set} fault={shown} dry={trial.dry} />
        <Rules form={form} set={set} fault={shown} />
        <WhileItRuns form={form} set={set} />
        <KeptPlans />
        {trial.dry?.notes.map((note) => (
          <WhyOff key={note}>{note}</WhyOff>
        ))}
      </div>
      <SpendBar
        label={labelOf(number, current !== null, isAsArmed && isOrdered)}
        off={isAsArmed && !isOrdered ? asArmed(current) : (orderOff ?? trial.off)}
        onSend={arm}
        unknown={t`The run may be scheduled. Scheduling again is safe.`}
      >
        <Ordered />
        <PlanPrice trial={trial} />
        {current && !isAsArmed && <p className="t3">{t`Your changes apply when you save.`}</p>}
      </SpendBar>
      <PlanActions status={status} judged={judged} number={number} />
    </Panel>
  );
}

/** Added jobs are listed above the button, with their price. */
const labelOf = (number: number, isPlanned: boolean, isOnlyAdded: boolean): string => {
  if (!isPlanned) return t`Schedule run ${number}`;
  return isOnlyAdded ? t`Add to run ${number}` : t`Change run ${number}`;
};

const asArmed = ({ state }: NightRun): string =>
  state === 'open' ? t`Running with this plan.` : t`Scheduled. Keep this computer on and awake.`;

/** Fills the plan from the last run, or from a saved plan. */
function PlanChoice({ status: { last }, onPlan }: { status: NightStatus; onPlan: (form: PlanForm) => void }) {
  const plans = useKeptPlans();
  const options = [
    ...(last ? [{ value: 'last', label: t`Same as run ${last.number}` }] : []),
    ...plans.map(({ id, name }) => ({ value: id, label: name })),
  ];
  if (options.length === 0) return null;
  const choose = (value: string) => {
    const plan = value === 'last' ? last : plans.find(({ id }) => id === value)?.plan;
    if (plan) onPlan(formOf(plan));
  };
  return (
    <div className={styles.asNight}>
      <Select
        aria-label={t`Saved plan`}
        options={options}
        value={null}
        onValue={choose}
        placeholder={t`Choose a saved plan`}
      />
    </div>
  );
}

interface PlanActionsProps extends Pick<PlanPanelProps, 'status' | 'judged'> {
  number: number;
}

/** Cancels or starts the run, and saves the plan under a name. */
function PlanActions({ status, judged, number }: PlanActionsProps) {
  const [isNaming, setNaming] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const { refusal, run } = useAction();
  const { current } = status;
  const isPlanned = current?.state === 'planned';
  const off = 'error' in judged ? judged.error : undefined;
  const save = (name: string) => {
    if ('error' in judged) return;
    const { date: _, ...plan } = judged.plan;
    void run(call('night.savePlan', { name, plan })).then(({ ok }) => ok && setNaming(false));
  };
  return (
    <div className={styles.planActs}>
      {isNaming ? (
        <PlanName onName={save} onCancel={() => setNaming(false)} />
      ) : (
        <div className="row wrap">
          {isPlanned && <Button onClick={() => setStopping(true)}>{t`Cancel the run`}</Button>}
          {isPlanned && (
            <ActionButton action="night.start" off={off} onDo={() => setStarting(true)}>
              {t`Start now`}
            </ActionButton>
          )}
          <span className="grow" />
          <Button onClick={() => setNaming(true)}>{t`Save plan`}</Button>
        </div>
      )}
      <Refusal text={refusal} />
      {current && <StopNight night={current} open={isStopping} onClose={() => setStopping(false)} run={run} />}
      {isStarting && 'plan' in judged && (
        <StartNow status={status} plan={judged.plan} number={number} onClose={() => setStarting(false)} />
      )}
    </div>
  );
}

interface StartNowProps {
  status: NightStatus;
  plan: NightPlan;
  number: number;
  onClose: () => void;
}

/** Starts the current plan now: it sends at once, so the price is at the button. The plan keeps its hour for later days. */
export function StartNow({ status, plan, number, onClose }: StartNowProps) {
  const now = { ...plan, startsNow: true };
  const trial = useTrial({ plan: now });
  const orderOff = useOrderOff();
  const start = async () => {
    // The price belongs to the hours shown: after their end, the same plan would mean the next day.
    const refusal = await armNight(status, { ...now, endsAt: trial.dry?.endsAt });
    if (refusal) trial.reload();
    return refusal;
  };
  return (
    <SpendDialog
      label={t`Start run ${number}`}
      off={orderOff ?? trial.off}
      price={
        <>
          <Ordered />
          <PlanPrice trial={trial} />
        </>
      }
      onSend={start}
      onClose={onClose}
    >
      {trial.dry && t`Ends by ${formatStamp(trial.dry.endsAt)}, within its budget and rules.`}
    </SpendDialog>
  );
}
