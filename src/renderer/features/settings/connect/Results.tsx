import type { ReactNode } from 'react';
import type { ConnectionStep, ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { t } from '../../../../shared/text/texts.ts';
import { CheckGlyph, DraftGlyph, FailGlyph, UncertainGlyph } from '../../../ui/index.ts';
import { STEP_WORDS } from '../../../words/index.ts';
import styles from './connect.module.css';

const ORDER = Object.keys(STEP_WORDS) as ConnectionStep['name'][];

type Steps = Pick<ConnectionTest, 'steps'>;

export type FailedStep = ConnectionStep & { name: Exclude<ConnectionStep['name'], 'model'> };

/** The step at which the check failed. A model missing from the list does not end a check. */
export const failedStep = ({ steps }: Steps): FailedStep | undefined =>
  steps.find((step): step is FailedStep => !step.ok && step.name !== 'model');

interface ResultsProps {
  test: Steps;
  /** Ways to fix a step that did not pass, shown in its row. */
  beside?: Partial<Record<ConnectionStep['name'], ReactNode>>;
  /** Rows of additional checks. */
  children?: ReactNode;
}

/** The six results of a check, in order. After a failed one, the others are not run. */
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
  /** The result is unknown rather than failed. */
  isUncertain?: boolean;
  /** Ways to fix it. */
  children?: ReactNode;
}

/** One check: whether it passed, and what was found. */
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
