import type { TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import { type Candidate, MOST } from './candidates.ts';

/** What new takes are judged beside, and what is shown of a shot while they are judged. */

/**
 * The take that the new ones of these jobs are judged beside: what plays; where one of them plays already, what played before it, else
 * the newest one that was kept, else the newest one that was not refused.
 */
export function keptBeside(
  { shot, takes, active }: Pick<ShotView, 'shot' | 'takes' | 'active'>,
  isNew: ReadonlySet<string>,
): TakeView | undefined {
  const older = takes.filter(({ jobId, job }) => !isNew.has(jobId) && job?.state === 'succeeded');
  const named = (id: string | undefined) => older.find(({ jobId }) => jobId === id);
  return (
    named(active?.jobId) ??
    named(shot.meanwhile?.take) ??
    older.findLast(({ job }) => job?.verdict === 'keep') ??
    older.findLast(({ job }) => job?.verdict !== 'no')
  );
}

export interface Judging {
  /** Jobs of the takes that are judged. */
  isNew: ReadonlySet<string>;
  beside: TakeView | undefined;
}

/** Keys of what is shown first: the take beside which the new ones are judged, then those, oldest first. */
export function firstToJudge(all: readonly Candidate[], { isNew, beside }: Judging): string[] {
  const kept = all.find(({ take, index }) => take.jobId === beside?.jobId && index === beside.clipIndex);
  const fresh = all
    .filter(({ take }) => isNew.has(take.jobId))
    .toSorted((one, other) => one.take.number - other.take.number || one.index - other.index);
  return [...(kept ? [kept] : []), ...fresh].slice(0, MOST).map(({ key }) => key);
}

/** One more of the shot beside what is shown; where there is no room, the next one in the last place, round to the first. */
export function withAnother(shown: readonly string[], all: readonly Candidate[]): string[] {
  const fixed = shown.slice(0, MOST - 1);
  const others = all.map(({ key }) => key).filter((key) => !fixed.includes(key));
  const next = others[(others.indexOf(shown[MOST - 1] ?? '') + 1) % others.length];
  return next === undefined ? [...shown] : [...fixed, next];
}
