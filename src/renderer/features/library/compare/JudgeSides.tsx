import type { Asset } from '../../../../shared/asset.ts';
import { VERDICTS, type Verdict } from '../../../../shared/job.ts';
import { t } from '../../../../shared/texts.ts';
import { letterOf } from '../../../media/compare/compareView.ts';
import { Segmented } from '../../../ui/index.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';

interface JudgeSidesProps {
  compared: readonly Asset[];
  onJudge: (id: string, verdict: Verdict | null) => void;
}

/** The rating of each one that is compared, under its letter; what was brought in has none. */
export function JudgeSides({ compared, onJudge }: JudgeSidesProps) {
  return compared.map(({ id, jobId, verdict }, index) => {
    if (jobId === undefined) return null;
    const letter = letterOf(index);
    return (
      <span key={id} className="row">
        <b>{letter}</b>
        <Segmented
          aria-label={t`Rating of ${letter}`}
          small
          options={VERDICTS.map((value) => ({
            value,
            name: `${letter}: ${VERDICT_WORDS[value].label}`,
            label: VERDICT_WORDS[value].label,
          }))}
          value={verdict ?? null}
          onValue={(next) => onJudge(id, next === verdict ? null : next)}
        />
      </span>
    );
  });
}
