import type { ReactNode } from 'react';
import type { ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { t } from '../../../../shared/text/texts.ts';
import { CheckGlyph, DraftGlyph, FailGlyph, UncertainGlyph } from '../../../ui/index.ts';
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
  /** Rows of what was looked at besides. */
  children?: ReactNode;
}

/** The six results of a check, in their order. After the one that failed the others wait. */
export function Results({ test, beside, children }: ResultsProps) {
  const failed = failedStep(test);
  return (
    <ResultList>
      {ORDER.map((name) => {
        const step = test.steps.find((one) => one.name === name);
        const isReached = step && (step.ok || step === failed || name === 'model') && !(failed && name === 'model');
        return isReached ? (
          <Result key={name} label={STEP_WORDS[name]} step={step} isUncertain={name === 'model'}>
            {beside?.[name]}
          </Result>
        ) : (
          <li key={name} data-state="waits">
            <DraftGlyph />
            <b>{STEP_WORDS[name]}</b>
            <span>{step?.message ?? t`Not checked`}</span>
          </li>
        );
      })}
      {children}
    </ResultList>
  );
}

export const ResultList = ({ children }: { children: ReactNode }) => <ol className={styles.results}>{children}</ol>;

interface ResultProps {
  label: string;
  step: Pick<ConnectionStep, 'ok' | 'message' | 'untried'>;
  /** What did not pass is no failure: it is not known. */
  isUncertain?: boolean;
  /** What can be done about it. */
  children?: ReactNode;
}

/** One thing that was looked at: whether it is fine, and what was found. */
export function Result({ label, step: { ok, message, untried }, isUncertain = false, children }: ResultProps) {
  const state = ok && untried === undefined ? 'passed' : ok || isUncertain ? 'open' : 'failed';
  return (
    <li data-state={state}>
      {state === 'passed' ? (
        <CheckGlyph />
      ) : (
        <span className={state === 'open' ? 'st uncertain' : 'st failed'}>
          {state === 'open' ? <UncertainGlyph /> : <FailGlyph />}
        </span>
      )}
      <b>{label}</b>
      <span>
        <span className="vh">{ok ? t`Passed` : t`Failed`}</span> {untried ?? message} {state !== 'passed' && children}
      </span>
    </li>
  );
}
