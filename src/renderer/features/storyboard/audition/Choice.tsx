import { t } from '../../../../shared/texts.ts';
import { TakeNumber } from '../../../ui/index.ts';
import { ClipPicture } from '../ClipPicture.tsx';
import type { ShotView } from '../model/view.ts';
import { countsOf, Seed, TakeMoney, TakeWords } from '../Takes.tsx';
import { useBoardView } from '../useBoard.ts';
import type { Candidate } from './candidates.ts';
import type { Audition } from './useAudition.ts';

/** Every clip of the shot; those that are pressed are compared. */
export function Choice({ audition: { all, shown, solo, toggle }, shot }: { audition: Audition; shot: ShotView }) {
  const isOpen = useBoardView((view) => view.isTakesOpen);
  return (
    <aside className={`sb-takes ${isOpen ? 'open' : ''}`} aria-label={t`Takes`} data-panel tabIndex={-1}>
      <div className="bar sub">
        <h2 className="nw">{t`Takes of shot ${shot.number}`}</h2>
        <span className="grow" />
        <span className="t3 cut">{countsOf(shot.takes)}</span>
      </div>
      <div className="take-list">
        {all.map((candidate) => (
          <Row
            key={candidate.key}
            candidate={candidate}
            place={shown.indexOf(candidate) + 1}
            isSolo={candidate === solo}
            isActive={candidate.take.jobId === shot.active?.jobId && candidate.index === shot.active.clipIndex}
            onToggle={() => toggle(candidate)}
          />
        ))}
      </div>
    </aside>
  );
}

interface RowProps {
  candidate: Candidate;
  /** Its key, 1 to 4; 0 where it is not compared. */
  place: number;
  isSolo: boolean;
  isActive: boolean;
  onToggle: () => void;
}

function Row({ candidate: { take, clip, words }, place, isSolo, isActive, onToggle }: RowProps) {
  return (
    <button
      type="button"
      className={`take aud-take ${isSolo ? 'sel' : ''}`}
      aria-pressed={place > 0}
      title={place > 0 ? t`Compared as ${place}` : t`Compare it too`}
      onClick={onToggle}
    >
      <span className="vh">{t`Compare ${words}.`} </span>
      <span className="media">
        <ClipPicture clip={clip} />
        {place > 0 && (
          <span className="ov tl">
            <b>{place}</b>
          </span>
        )}
      </span>
      <span className="col grow">
        <span className="row">
          <TakeNumber number={take.number} verdict={take.job?.verdict} active={isActive} doubt={false} />
          <Seed take={take} />
          {take.job && <TakeMoney job={take.job} />}
        </span>
        <span className="row t3">{take.job && <TakeWords job={take.job} />}</span>
      </span>
    </button>
  );
}
