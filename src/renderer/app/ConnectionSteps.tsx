import type { ReactNode } from 'react';
import type { ConnectionStep } from '../../shared/connection.ts';
import { t } from '../../shared/texts.ts';
import { CheckGlyph, DoubtGlyph, DraftGlyph, FailGlyph } from '../ui/index.ts';
import { STEP_WORDS } from '../words/index.ts';

const ORDER = Object.keys(STEP_WORDS) as ConnectionStep['name'][];

/** The steps of a connection test in order; a step that was not reached says what it waits for. */
export function ConnectionSteps({ steps }: { steps: readonly ConnectionStep[] }) {
  const stopped = steps.find((step) => !step.ok && step.name !== 'model');
  const last = stopped ? ORDER.indexOf(stopped.name) : ORDER.length;
  return (
    <ol className="steps">
      {ORDER.map((name, place) => {
        const step = steps.find((candidate) => candidate.name === name);
        return step && (step.ok || place <= last) ? (
          <Step key={name} step={step} />
        ) : (
          stopped && <Waiting key={name} name={name} for={stopped.name} />
        );
      })}
    </ol>
  );
}

const Step = ({ step }: { step: ConnectionStep }) => (
  <StepLine label={STEP_WORDS[step.name]} step={step} isDoubt={step.name === 'model'} />
);

interface StepLineProps {
  label: string;
  step: { ok: boolean; message: string; untried?: string; ms?: number };
  /** What did not pass is no failure: it is not known. */
  isDoubt?: boolean;
  /** What can be done about it. */
  children?: ReactNode;
}

/** One thing that was looked at: whether it is fine, what was found, and how long it took. */
export function StepLine({ label, step: { ok, message, untried, ms }, isDoubt = false, children }: StepLineProps) {
  const isFine = ok && untried === undefined;
  const isOpen = ok ? !isFine : isDoubt;
  const state = isFine ? 't2' : isOpen ? 'st uncertain' : 'st failed';
  return (
    <li>
      <span className={state}>{isFine ? <CheckGlyph /> : isOpen ? <DoubtGlyph /> : <FailGlyph />}</span>
      <b>{label}</b>
      <span className={`t2 grow ${isFine ? 'cut' : 'in-full'}`} title={isFine ? message : undefined}>
        <span className="vh">{ok ? t`ok: ` : t`failed: `}</span>
        {[message, untried].filter(Boolean).join(' ')}
      </span>
      {children}
      {ms !== undefined && <span className="t3 mono">{t`${Math.round(ms)} ms`}</span>}
    </li>
  );
}

function Waiting({ name, for: stopped }: { name: ConnectionStep['name']; for: ConnectionStep['name'] }) {
  return (
    <li className="t3">
      <DraftGlyph />
      <b>{STEP_WORDS[name]}</b>
      <span>{t`waits for ${STEP_WORDS[stopped].toLowerCase()}`}</span>
    </li>
  );
}
