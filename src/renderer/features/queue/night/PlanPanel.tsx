import { Moon, X } from 'lucide-react';
import { useState } from 'react';
import { formatNano } from '../../../../shared/money.ts';
import type { DryRun, NightRun, NightStatus } from '../../../../shared/night.ts';
import { useAction, useShortcut } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { forgetNightOrder, PlayMoneyLine, SpendBar, useNightOrder } from '../../../spending/index.ts';
import {
  Button,
  formatClock,
  Icon,
  IconButton,
  Panel,
  PriceTag,
  plural,
  Refusal,
  Select,
  WhyOff,
} from '../../../ui/index.ts';
import { reasonsOf } from '../../../words/index.ts';
import { armNight } from './armNight.ts';
import { KeptPlans, PlanName, useKeptPlans } from './KeptPlans.tsx';
import { Hours, MoneyPart, Rules, WhileItRuns } from './PlanFields.tsx';
import { faultAt, formOf, type PlanFault, type PlanForm, type planOf } from './planForm.ts';

export interface PlanPanelProps {
  status: NightStatus;
  form: PlanForm;
  change: (part: Partial<PlanForm>) => void;
  judged: ReturnType<typeof planOf>;
  dry: DryRun | undefined;
}

/** Hours, days, money and rules of the night; what would be sent stands at the button that arms it. */
export function PlanPanel(props: PlanPanelProps) {
  const { status, form, change, judged, dry } = props;
  const [fault, setFault] = useState<PlanFault>();
  const shown: PlanFault | undefined = fault ?? ('error' in judged ? judged : undefined);
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
  const isAsArmed = current !== null && JSON.stringify(form) === JSON.stringify(formOf(current));
  return (
    <Panel label="Plan" className="nplan">
      <div className="bar">
        <Icon of={Moon} />
        <h2>Plan</h2>
        <span className="grow" />
        <PlanChoice status={status} onPlan={set} />
      </div>
      <div className="scroll">
        {!current && status.last?.notOpened && <WhyOff>{status.last.notOpened}</WhyOff>}
        <Hours form={form} set={set} fault={shown} isOpen={current?.state === 'open'} dry={dry} />
        <MoneyPart form={form} set={set} fault={shown} dry={dry} />
        <Rules form={form} set={set} fault={shown} />
        <WhileItRuns form={form} set={set} />
        <KeptPlans onPlan={set} />
        {dry?.notes.map((note) => (
          <WhyOff key={note}>{note}</WhyOff>
        ))}
      </div>
      <SpendBar
        label={`${current ? 'Change' : 'Arm'} night ${number}${isOrdered ? ' and order' : ''}`}
        off={'error' in judged ? judged.error : isAsArmed && !isOrdered ? asArmed(current) : undefined}
        onSend={arm}
        unknown="The night may be planned so all the same. Planned again as it is, it stays one night."
      >
        <Ordered />
        <Price dry={dry} />
        {current && !isAsArmed && <p className="t3">Still armed as before, until you change it.</p>}
      </SpendBar>
      <PlanActions status={status} judged={judged} />
    </Panel>
  );
}

const asArmed = ({ state }: NightRun): string =>
  state === 'open' ? 'It runs with this plan.' : 'Armed. Close the window, not the machine.';

/** What came along to be ordered once the night is armed, at the price it was ordered at. */
function Ordered() {
  const order = useNightOrder((state) => state.order);
  if (!order) return null;
  const { what, shown } = order;
  return (
    <>
      <div className="row between">
        <span className="cut">{what}</span>
        <span className="row">
          {shown && <PriceTag nano={shown.estimateNano} lowNano={shown.lowNano} unpriced={shown.unpriced} />}
          <IconButton label={`Leave out: ${what}`} onClick={forgetNightOrder}>
            <Icon of={X} />
          </IconButton>
        </span>
      </div>
      <PlayMoneyLine />
    </>
  );
}

function Price({ dry }: { dry: DryRun | undefined }) {
  if (!dry) return <p className="t3">Working out what would be sent</p>;
  return (
    <>
      <div className="row between">
        <span className="t2">
          {plural(dry.fitCount, 'job')}
          {dry.endsAbout !== undefined && `, end about ${formatClock(dry.endsAbout)}`}
        </span>
        <PriceTag nano={dry.totalNano} lowNano={dry.totalLowNano} unpriced={dry.unpriced} />
      </div>
      <div className="row between t3">
        <span className="cut">Reserved while they wait</span>
        <span className="nw">
          {formatNano(Math.abs(dry.capLeftNano))} {dry.capLeftNano < 0 ? 'over' : 'under'} the cap
        </span>
      </div>
    </>
  );
}

/** Like the last night, or a plan that was kept. */
function PlanChoice({ status: { last }, onPlan }: { status: NightStatus; onPlan: (form: PlanForm) => void }) {
  const plans = useKeptPlans();
  const options = [
    ...(last ? [{ value: 'last', label: `As night ${last.number}` }] : []),
    ...plans.map(({ id, name }) => ({ value: id, label: name })),
  ];
  if (options.length === 0) return null;
  const choose = (value: string) => {
    const plan = value === 'last' ? last : plans.find(({ id }) => id === value)?.plan;
    if (plan) onPlan(formOf(plan));
  };
  return (
    <div className="as-night">
      <Select aria-label="Plan as" options={options} value={null} onValue={choose} placeholder="As …" />
    </div>
  );
}

/** Disarm and start now, and keeping the plan under a name. */
function PlanActions({ status, judged }: Pick<PlanPanelProps, 'status' | 'judged'>) {
  const [isNaming, setNaming] = useState(false);
  const { refusal, run } = useAction();
  const isPlanned = status.current?.state === 'planned';
  const startNow = () => {
    if ('error' in judged) return;
    void run(call('night.plan', { ...judged.plan, start: formatClock(Date.now()) }));
  };
  useShortcut('queue.night', startNow, isPlanned);
  const save = (name: string) => {
    if ('error' in judged) return;
    const { date: _, ...plan } = judged.plan;
    void run(call('night.savePlan', { name, plan })).then(({ ok }) => ok && setNaming(false));
  };
  return (
    <div className="plan-acts">
      {isNaming ? (
        <PlanName name="" action="Save" onName={save} onCancel={() => setNaming(false)} />
      ) : (
        <div className="row">
          {isPlanned && <Button onClick={() => void run(call('night.stop'))}>Disarm</Button>}
          {isPlanned && <Button onClick={startNow}>Start now</Button>}
          <span className="grow" />
          <Button onClick={() => setNaming(true)}>Save plan</Button>
        </div>
      )}
      <Refusal text={refusal} />
    </div>
  );
}
