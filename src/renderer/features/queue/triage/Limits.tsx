import { useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import type { Finding } from '../../../../shared/triage/findings.ts';
import {
  type ChangedTriageLimits,
  SHIPPED_TRIAGE_LIMITS,
  type TriageLimitName,
  triageLimitsSchema,
} from '../../../../shared/triage/limits.ts';
import { announce, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { NumberInput, TextAction } from '../../../ui/index.ts';
import type { TriageState } from './useTriage.ts';
import { LIMIT_FINDS, LIMIT_LABELS, unnamedAt } from './words.ts';

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

interface LimitsProps {
  triage: TriageState;
  take: TriageTake;
  finding: Finding | undefined;
}

/** The limits of the take's project, and beside each how many of its takes here are beyond it. */
export function Limits({ triage, take, finding }: LimitsProps) {
  const projectId = take.projectId ?? '';
  const project = useStudio((state) => state.projects.find(({ id }) => id === projectId));
  const known = triage.limits[projectId];
  const [error, setError] = useState<string>();
  if (!known) return null;
  const set = async (limits: ChangedTriageLimits) => {
    const answer = await call('triage.setLimits', { projectId, limits });
    setError(answer.ok ? undefined : answer.error.message);
    triage.reload();
  };
  const reset = () => {
    void set({});
    announce(t`The limits are as shipped`);
  };
  const unnamed = finding && unnamedAt(finding);
  const isOwn = projectId !== '';
  return (
    <section className="sec" aria-label={t`Limits`}>
      <div className="row between">
        <h3>{t`Limits of ${isOwn ? (project?.name ?? t`this project`) : t`takes without a project`}`}</h3>
        {Object.keys(known.changed).length > 0 && <TextAction onClick={reset}>{t`As shipped`}</TextAction>}
      </div>
      <table className="mini thr8">
        <thead>
          <tr className="t3">
            <td />
            <td className="r">{t`limit`}</td>
            <td className="r">{t`beyond`}</td>
          </tr>
        </thead>
        <tbody>
          {NAMES.map((name) => (
            <LimitRow key={name} {...{ name, triage, projectId, known, setError }} onSet={isOwn ? set : undefined} />
          ))}
        </tbody>
      </table>
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      <p className="t3 thr-note">
        {triage.run ? t`Takes of this night beyond each.` : t`New takes beyond each.`}
        {unnamed && t` At ${unnamed.at} ${unnamed.what} would go unnamed.`}
      </p>
    </section>
  );
}

interface LimitRowProps {
  name: TriageLimitName;
  triage: TriageState;
  projectId: string;
  known: TriageState['limits'][string];
  setError: (error: string | undefined) => void;
  /** Absent where nothing can be changed. */
  onSet: ((limits: ChangedTriageLimits) => Promise<void>) | undefined;
}

function LimitRow({ name, triage, projectId, known: { limits, changed }, setError, onSet }: LimitRowProps) {
  const change = (value: number | null) => {
    const limit = value ?? SHIPPED_TRIAGE_LIMITS[name];
    const parsed = triageLimitsSchema.shape[name].safeParse(limit);
    if (!parsed.success) return setError(`${LIMIT_LABELS[name]}: ${parsed.error.issues[0]?.message}.`);
    setError(undefined);
    if (limit !== limits[name]) void onSet?.({ ...changed, [name]: limit });
  };
  const beyond = triage.takes.filter(
    (take) =>
      (take.projectId ?? '') === projectId && take.findings.some((finding) => LIMIT_FINDS[name](finding, limits)),
  );
  return (
    <tr>
      <th scope="row">{LIMIT_LABELS[name]}</th>
      <td className="r">
        {onSet ? (
          <NumberInput
            aria-label={LIMIT_LABELS[name]}
            value={limits[name]}
            min={0}
            step={STEPS[name].step}
            format={{ minimumFractionDigits: STEPS[name].least ?? 0, maximumFractionDigits: STEPS[name].digits }}
            onValue={change}
          />
        ) : (
          limits[name]
        )}
      </td>
      <td className="r t3">{beyond.length}</td>
    </tr>
  );
}
