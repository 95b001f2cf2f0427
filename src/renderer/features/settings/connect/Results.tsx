import type { ReactNode } from 'react';
import type { ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { t } from '../../../../shared/text/texts.ts';
import { CheckGlyph, DoubtGlyph, DraftGlyph, FailGlyph } from '../../../ui/index.ts';
import { STEP_WORDS } from '../../../words/index.ts';
import styles from './connect.module.css';

const ORDER = Object.keys(STEP_WORDS) as ConnectionStep['name'][];

type Steps = Pick<ConnectionTest, 'steps'>;

export type FailedStep = ConnectionStep & { name: Exclude<ConnectionStep['name'], 'model'> };

/** The step at which a check ended; a model that is not in the list ends nothing. */
export const failedStep = ({ steps }: Steps): FailedStep | undefined =>
  steps.find((step): step is FailedStep => !step.ok && step.name !== 'model');

interface ResultsProps {
  test: Steps;
  /** In the row of a step that is not passed: what can be done about it. */
  beside?: Partial<Record<ConnectionStep['name'], ReactNode>>;
}

/** The six results of a check, in their order. After the one that failed the others wait. */
export function Results({ test, beside }: ResultsProps) {
  const failed = failedStep(test);
  return (
    <ol className={styles.results}>
      {ORDER.map((name) => {
        const step = test.steps.find((one) => one.name === name);
        return step && (step.ok || step === failed || name === 'model') && !(failed && name === 'model') ? (
          <Result key={name} step={step} fix={beside?.[name]} />
        ) : (
          <li key={name} data-state="waits">
            <DraftGlyph />
            <b>{STEP_WORDS[name]}</b>
            <span>{step?.message ?? t`Not checked`}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Result({ step: { name, ok, message, untried }, fix }: { step: ConnectionStep; fix: ReactNode }) {
  const state = ok && untried === undefined ? 'passed' : ok || name === 'model' ? 'open' : 'failed';
  return (
    <li data-state={state}>
      {state === 'passed' ? (
        <CheckGlyph />
      ) : (
        <span className={state === 'open' ? 'st uncertain' : 'st failed'}>
          {state === 'open' ? <DoubtGlyph /> : <FailGlyph />}
        </span>
      )}
      <b>{STEP_WORDS[name]}</b>
      <span>
        <span className="vh">{ok ? t`Passed` : t`Failed`}</span> {untried ?? message}
        {state !== 'passed' && fix}
      </span>
    </li>
  );
}
