import type { Asset } from '../../../../shared/asset.ts';
import type { Shot } from '../../../../shared/board.ts';
import { isTerminal, type Job } from '../../../../shared/job.ts';
import { oneSide } from '../../../../shared/oneSide.ts';
import { resultsOf } from '../../../media/facts.ts';
import { type JointView, jointOf } from './joints.ts';
import { plannedSeconds } from './shots.ts';
import type { TakeView } from './take.ts';
import { type Span, spansOf } from './timeline.ts';

export interface ShotView {
  shot: Shot;
  /** Counts from 1. */
  number: number;
  takes: TakeView[];
  /** The take that plays for the shot. */
  active: TakeView | undefined;
  span: Span;
  /** How it joins the shot before; undefined for the first. */
  joint: JointView | undefined;
}

/** Which candidate of a take is looked at in this window, by job; else the one that plays, else the first. */
export type ClipChoice = Readonly<Record<string, number>>;

interface Known {
  jobs: ReadonlyMap<string, Job>;
  assets: ReadonlyMap<string, Asset>;
}

/** A board's shots with their takes, their place in time and their joints. */
export function viewOf(shots: readonly Shot[], known: Known, choice: ClipChoice = {}): ShotView[] {
  const parts = shots.map((shot) => {
    const takes = shot.takes.map((jobId, index) => {
      const plays = jobId === shot.activeTake ? shot.activeOutput : undefined;
      return takeOf(jobId, index, known, choice[jobId] ?? plays ?? 0);
    });
    const active = activeOf(shot, takes);
    return { shot, takes, active, seconds: active?.clip?.seconds ?? plannedSeconds(shot) };
  });
  const spans = spansOf(parts.map(({ shot, seconds }) => ({ shotId: shot.id, seconds })));
  return parts.map(({ shot, takes, active }, index) => {
    const before = parts[index - 1];
    const span = spans[index] ?? { shotId: shot.id, start: 0, seconds: 0 };
    const joint = before && jointOf(before, { shot, takes, active }, known.assets);
    return { shot, number: index + 1, takes, active, span, joint };
  });
}

function takeOf(jobId: string, index: number, { jobs, assets }: Known, output: number): TakeView {
  const job = jobs.get(jobId);
  const clips = job ? resultsOf(job).map((asset) => assets.get(asset.id) ?? asset) : [];
  const clipIndex = Math.min(output, Math.max(0, clips.length - 1));
  return { jobId, number: index + 1, job, clips, clip: clips[clipIndex], clipIndex };
}

/** The take that was chosen; while that one is still being made, or none was chosen, the newest that is done. */
function activeOf(shot: Shot, takes: readonly TakeView[]): TakeView | undefined {
  const chosen = takes.find(({ jobId }) => jobId === shot.activeTake);
  if (chosen && (!chosen.job || chosen.job.state === 'succeeded')) return chosen;
  return takes.findLast(({ job }) => job?.state === 'succeeded') ?? chosen;
}

/**
 * What a shot's takes have cost so far: charged at the dearer reading, with the cheaper beside it. Takes of play money count only where
 * no other was made: the two are never in one sum.
 */
export function chargedOf(takes: readonly TakeView[]): { nano: number; lowNano: number; unpriced: number } {
  const jobs = takes.flatMap(({ job }) => job ?? []);
  return oneSide(jobs).reduce(
    (sum, { money, state }) => ({
      nano: sum.nano + money.chargedNano,
      lowNano: sum.lowNano + money.chargedLowNano,
      unpriced: sum.unpriced + (money.unpriced && isTerminal(state) ? 1 : 0),
    }),
    { nano: 0, lowNano: 0, unpriced: 0 },
  );
}
