import { type JudgedBy, statesOf } from '../../../../shared/board/joints.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import type { BoardEdit } from '../model/shots.ts';
import type { TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';

/** Takes that a stale shot has already, or will have, and that start where they should: nothing has to be made for it. */

export interface Fitting {
  /** The newest one that is done; it only has to be used. */
  done: TakeView | undefined;
  /** The newest one that is still being made. */
  coming: TakeView | undefined;
}

export function fittingOf(shots: readonly ShotView[], view: ShotView, by: JudgedBy): Fitting {
  if (!view.state.isStale) return { done: undefined, coming: undefined };
  const newest = (isWanted: (take: TakeView) => boolean) =>
    view.takes.findLast((take) => take !== view.active && isWanted(take) && fits(shots, view, { take, by }));
  return {
    done: newest(({ job, clip }) => job?.state === 'succeeded' && clip?.state === 'local'),
    coming: newest(({ job }) => job !== undefined && !isTerminal(job.state)),
  };
}

function fits(shots: readonly ShotView[], view: ShotView, { take, by }: { take: TakeView; by: JudgedBy }): boolean {
  const film = shots.map((each) => (each === view ? { ...each, active: take } : each));
  return statesOf(film, by)[shots.indexOf(view)]?.isStale === false;
}

/** These takes play for their shots then, in one step that can be undone. */
export const usingTakes =
  (uses: readonly { view: ShotView; take: TakeView }[]): BoardEdit =>
  (shots) =>
    shots.map((shot) => {
      const use = uses.find(({ view }) => view.shot.id === shot.id);
      if (!use) return shot;
      const { jobId, clipIndex } = use.take;
      return { ...shot, activeTake: jobId, activeOutput: clipIndex === 0 ? undefined : clipIndex };
    });
