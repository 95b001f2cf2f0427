import type { ConnectionStep } from '../../shared/connection.ts';
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

function Step({ step }: { step: ConnectionStep }) {
  const state = step.ok ? 't2' : step.name === 'model' ? 'st uncertain' : 'st failed';
  return (
    <li>
      <span className={state}>{step.ok ? <CheckGlyph /> : step.name === 'model' ? <DoubtGlyph /> : <FailGlyph />}</span>
      <b>{STEP_WORDS[step.name]}</b>
      <span className={`t2 grow ${step.ok ? 'cut' : 'in-full'}`} title={step.ok ? step.message : undefined}>
        <span className="vh">{step.ok ? 'ok: ' : 'failed: '}</span>
        {step.message}
      </span>
      {step.ms !== undefined && <span className="t3 mono">{Math.round(step.ms)} ms</span>}
    </li>
  );
}

function Waiting({ name, for: stopped }: { name: ConnectionStep['name']; for: ConnectionStep['name'] }) {
  return (
    <li className="t3">
      <DraftGlyph />
      <b>{STEP_WORDS[name]}</b>
      <span>waits for {STEP_WORDS[stopped].toLowerCase()}</span>
    </li>
  );
}
