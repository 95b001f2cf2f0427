import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { SavedNightPlan } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OutcomeLine, showOutcome, showRefusal, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Icon, IconButton, Refusal, Section, TextInput } from '../../../ui/index.ts';

/** Plans that are saved under a name, sorted by name. */
export const useKeptPlans = (): SavedNightPlan[] =>
  useCall('night.plans', {}, { on: ['plans.changed'] }).data?.plans ?? NONE;

const NONE: never[] = [];

/** The saved plans, to be removed; one is applied at the top of the plan. Removing one changes no run. */
export function KeptPlans() {
  const plans = useKeptPlans();
  return (
    <>
      {plans.length > 0 && (
        <Section title={t`Saved plans`}>
          <ul aria-label={t`Saved plans`}>
            {plans.map((kept) => (
              <KeptPlan key={kept.id} kept={kept} />
            ))}
          </ul>
        </Section>
      )}
      <OutcomeLine place={OUTCOME} />
    </>
  );
}

const OUTCOME = 'kept plans';

function KeptPlan({ kept: { id, name, plan } }: { kept: SavedNightPlan }) {
  const { refusal, run } = useAction();
  const remove = async () => {
    const answer = await run(call('night.removePlan', { id }));
    if (!answer.ok) return;
    const undo = async () => {
      const back = await call('night.savePlan', { name, plan });
      if (!back.ok) showRefusal(back.error);
    };
    showOutcome(OUTCOME, { text: t`Plan ${name} removed.`, undo: () => void undo() });
  };
  return (
    <li>
      <div className="row">
        <span className="grow cut">
          {name} <span className="t3">{t`${plan.start}–${plan.end}, ${formatNano(plan.capNano)}`}</span>
        </span>
        <IconButton label={t`Remove ${name}`} onClick={() => void remove()}>
          <Icon of={X} />
        </IconButton>
      </div>
      <Refusal text={refusal} />
    </li>
  );
}

/** The name of a plan: Enter saves it, Esc discards. */
export function PlanName({ onName, onCancel }: { onName: (name: string) => void; onCancel: () => void }) {
  const [text, setText] = useState('');
  const given = text.trim();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    if (event.key === 'Escape') onCancel();
    else if (given !== '') onName(given);
  };
  return (
    <div className="row">
      <TextInput
        value={text}
        onValue={setText}
        aria-label={t`Name of the plan`}
        placeholder={t`Weekend`}
        onKeyDown={onKeyDown}
        autoFocus
      />
      <Button off={given === '' ? t`Write a name first.` : undefined} onClick={() => onName(given)}>
        {t`Save`}
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        {t`Cancel`}
      </Button>
    </div>
  );
}
