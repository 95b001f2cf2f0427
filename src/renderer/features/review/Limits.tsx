import { useState } from 'react';
import { ruleOf } from '../../../shared/contract/validationMessages.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  type ChangedTriageLimits,
  SHIPPED_TRIAGE_LIMITS,
  type TriageLimitName,
  type TriageLimits,
  triageLimitsOf,
  triageLimitsSchema,
} from '../../../shared/triage/limits.ts';
import { call } from '../../client/index.ts';
import { Button, NumberInput } from '../../ui/index.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import styles from './about.module.css';
import { LIMIT_LABELS } from './checks.tsx';

const NAMES = Object.keys(LIMIT_LABELS) as TriageLimitName[];
const STEPS: Record<TriageLimitName, { step: number; digits: number; least?: number }> = {
  black: { step: 0.01, digits: 3 },
  frozen: { step: 1, digits: 0 },
  doubled: { step: 1, digits: 0 },
  cut: { step: 0.05, digits: 3 },
  silence: { step: 0.5, digits: 1, least: 1 },
  clipping: { step: 1, digits: 0 },
  jump: { step: 0.01, digits: 3 },
  jumpColour: { step: 0.5, digits: 1, least: 1 },
};

/** The limits for a project's takes: those of the open project, otherwise the defaults. */
export const useLimits = (board: BoardHandle | undefined, projectId: string | undefined): TriageLimits =>
  triageLimitsOf(ownOf(board, projectId)?.triageLimits);

const ownOf = (board: BoardHandle | undefined, projectId: string | undefined) =>
  board?.board?.projectId === projectId ? board?.board : undefined;

interface LimitsProps {
  board: BoardHandle | undefined;
  projectId: string | undefined;
}

/** The limits of the open project, with fields to change them; findings change at once. */
export function Limits({ board, projectId = '' }: LimitsProps) {
  const own = ownOf(board, projectId);
  const changed = own?.triageLimits ?? {};
  const limits = triageLimitsOf(changed);
  const [error, setError] = useState<string>();
  const set = async (next: ChangedTriageLimits) => {
    const answer = await call('triage.setLimits', { projectId, limits: next });
    setError(answer.ok ? undefined : answer.error.message);
  };
  const change = (name: TriageLimitName, value: number | null) => {
    const limit = value ?? SHIPPED_TRIAGE_LIMITS[name];
    const parsed = triageLimitsSchema.shape[name].safeParse(limit, { error: ruleOf });
    if (!parsed.success) return setError(`${LIMIT_LABELS[name]}: ${parsed.error.issues[0]?.message}.`);
    setError(undefined);
    if (limit !== limits[name]) void set({ ...changed, [name]: limit });
  };
  if (!own) return <p className="t2">{t`Open this take’s project to change its limits.`}</p>;
  return (
    <div className="col">
      <table className={`mini ${styles.limits}`}>
        <tbody>
          {NAMES.map((name) => (
            <tr key={name}>
              <th scope="row">{LIMIT_LABELS[name]}</th>
              <td className="r">
                <NumberInput
                  aria-label={LIMIT_LABELS[name]}
                  value={limits[name]}
                  min={0}
                  step={STEPS[name].step}
                  format={{ minimumFractionDigits: STEPS[name].least ?? 0, maximumFractionDigits: STEPS[name].digits }}
                  onValue={(value) => change(name, value)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      <Button
        variant="ghost"
        off={Object.keys(changed).length === 0 ? t`Default` : undefined}
        onClick={() => void set({})}
      >
        {t`Default`}
      </Button>
    </div>
  );
}
