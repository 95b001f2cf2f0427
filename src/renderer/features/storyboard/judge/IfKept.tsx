import { Info, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { inflected, t } from '../../../../shared/texts.ts';
import { PlayMoney } from '../../../spending/index.ts';
import { Icon, PriceTag, Section } from '../../../ui/index.ts';
import type { Candidate } from '../audition/candidates.ts';
import { shotsText } from '../joint/chains.ts';
import { useChain } from '../joint/useChain.ts';
import { type ShotView, viewOf } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

interface IfKeptProps {
  board: BoardHandle;
  shot: ShotView;
  solo: Candidate | undefined;
}

const NONE: never[] = [];

/** What would no longer fit together if the take that is looked at played for its shot, and what it costs to make that again. */
export function IfKept({ board, shot, solo }: IfKeptProps) {
  const { shots, media } = board;
  const cast = board.board?.cast;
  const [jobId, index] = [solo?.take.jobId, solo?.index];
  const { kept, stale } = useMemo(() => {
    if (jobId === undefined) return { kept: shots, stale: NONE };
    const playing = { activeTake: jobId, activeOutput: index };
    const edited = shots.map((view) => (view.shot.id === shot.shot.id ? { ...view.shot, ...playing } : view.shot));
    const before = new Set(shots.filter(({ state }) => state.isStale).map((view) => view.shot.id));
    const views = viewOf(edited, media, {}, cast);
    return { kept: views, stale: views.filter(({ shot: one, state }) => state.isStale && !before.has(one.id)) };
  }, [shots, media, cast, shot.shot.id, jobId, index]);
  const { now } = useChain({ ...board, shots: kept }, stale);
  const { price } = now;
  const isPlaying = jobId === shot.active?.jobId && index === shot.active?.clipIndex;
  return (
    <Section title={t`If you keep it`}>
      <ul className="kn">
        <li>
          <Icon of={stale.length > 0 ? RotateCcw : Info} />
          {isPlaying ? (
            <span>{t`It plays for the shot already.`}</span>
          ) : stale.length === 0 ? (
            <span>{t`It plays for the shot, and nothing else changes.`}</span>
          ) : (
            <span>
              {t`It plays for the shot; ${shotsText(stale)} ${inflected(stale.length, 'goes', 'go')} stale${price ? ': ' : '.'}`}
              {price && <PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />}
              {price && <PlayMoney />}
              {price && t` to redo.`}
            </span>
          )}
        </li>
        <li>
          <Icon of={Info} />
          <span>{t`The others stay, judged as now; only one plays.`}</span>
        </li>
      </ul>
    </Section>
  );
}
