import { Pencil, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { SavedNightPlan } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OutcomeLine, showOutcome, showRefusal, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Icon, IconButton, Refusal, Section, TextAction, TextInput } from '../../../ui/index.ts';
import styles from './night.module.css';
import { formOf, type PlanForm } from './planForm.ts';

/** Plans that are kept under a name, in the order of their names. */
export const useKeptPlans = (): SavedNightPlan[] =>
  useCall('night.plans', {}, { on: ['plans.changed'] }).data?.plans ?? NONE;

const NONE: never[] = [];

/** The plans that are kept: each can be taken over, renamed and removed. Removing one changes no night. */
export function KeptPlans({ onPlan }: { onPlan: (form: PlanForm) => void }) {
  const plans = useKeptPlans();
  return (
    <>
      {plans.length > 0 && (
        <Section title={t`Kept plans`}>
          <ul className={styles.kept} aria-label={t`Kept plans`}>
            {plans.map((kept) => (
              <KeptPlan key={kept.id} kept={kept} onPlan={onPlan} />
            ))}
          </ul>
        </Section>
      )}
      <OutcomeLine place={OUTCOME} />
    </>
  );
}

const OUTCOME = 'kept plans';

function KeptPlan({ kept, onPlan }: { kept: SavedNightPlan; onPlan: (form: PlanForm) => void }) {
  const [isNaming, setNaming] = useState(false);
  const { refusal, run } = useAction();
  const { id, name, plan } = kept;
  const rename = async (text: string) => {
    const answer = await run(call('night.savePlan', { id, name: text, plan }));
    if (answer.ok) setNaming(false);
  };
  const remove = async () => {
    const answer = await run(call('night.removePlan', { id }));
    if (!answer.ok) return;
    const undo = async () => {
      const back = await call('night.savePlan', { name, plan });
      if (!back.ok) showRefusal(back.error);
    };
    showOutcome(OUTCOME, { text: t`The plan ${name} is removed.`, undo: () => void undo() });
  };
  return (
    <li>
      {isNaming ? (
        <PlanName
          name={name}
          action={t`Rename`}
          onName={(text) => void rename(text)}
          onCancel={() => setNaming(false)}
        />
      ) : (
        <div className="row">
          <span className="grow cut">
            {name} <span className="t3">{wordsOf(kept)}</span>
          </span>
          <TextAction aria-label={t`Plan as ${name}`} onClick={() => onPlan(formOf(plan))}>
            {t`Use`}
          </TextAction>
          <IconButton label={t`Rename ${name}`} onClick={() => setNaming(true)}>
            <Icon of={Pencil} />
          </IconButton>
          <IconButton label={t`Remove ${name}`} onClick={() => void remove()}>
            <Icon of={X} />
          </IconButton>
        </div>
      )}
      <Refusal text={refusal} />
    </li>
  );
}

const wordsOf = ({ plan: { start, end, capNano } }: SavedNightPlan): string =>
  t`${start}–${end}, budget ${formatNano(capNano)}`;

interface PlanNameProps {
  name: string;
  action: string;
  onName: (name: string) => void;
  onCancel: () => void;
}

/** The name of a plan: Enter keeps it, Esc leaves it as it was. */
export function PlanName({ name, action, onName, onCancel }: PlanNameProps) {
  const [text, setText] = useState(name);
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
        {action}
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        {t`Cancel`}
      </Button>
    </div>
  );
}
