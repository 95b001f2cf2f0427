import type { Shot } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { type LinkView, type ShotState, statesOf } from '../../../../shared/board/shotLinks.ts';
import {
  type FilmFacts,
  type FilmShot,
  type FilmTake,
  filmOf,
  filmToCome,
  pictureOf,
  playedOf,
} from '../../../../shared/film/film.ts';
import type { ClipPart } from '../../../../shared/film/trim.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import { sentSeedOf } from '../../../../shared/jobs/resultWords.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { summableJobs } from '../../../../shared/money/costPerKept.ts';
import { plannedSeconds } from './shots.ts';
import { type Span, spansOf } from './timeline.ts';

/** A take as the page shows it. */
export type TakeView = FilmTake;

/** The seed that a take was sent with, which makes the same take again. */
export const seedOf = (take: Pick<TakeView, 'job'> | undefined): number | undefined =>
  take?.job && sentSeedOf(take.job);

/** The take of the shot that this one remakes in higher quality. */
export function promotedFrom({ job }: TakeView, takes: readonly TakeView[]): TakeView | undefined {
  const from = isRequestOf(KINDS.video, job?.request) ? job.request.promotedFrom : undefined;
  return takes.find(({ jobId }) => jobId === from);
}

export interface ShotView extends FilmShot {
  /** Counts from 1. */
  number: number;
  /** The length of its selected take, or its planned length; a skipped shot has one too. */
  seconds: number;
  /** The shot's place in the film; a skipped shot has no length there. */
  span: Span;
  /** The shot's link to the one before; undefined for the first. */
  link: LinkView | undefined;
  state: ShotState;
  /** Whether it is outdated now but not once the takes in progress are done. */
  isBeingRedone: boolean;
}

/** The shots of the film: those that are not skipped. */
export const playedShots = (shots: readonly ShotView[]): ShotView[] => shots.filter(({ shot }) => !shot.skipped);

/** A board's shots with takes, place in time, and links. */
export function viewOf(shots: readonly Shot[], known: FilmFacts, cast: readonly CastMember[] = []): ShotView[] {
  const film = filmOf(shots, known);
  const by = { assets: known.assets, cast };
  const states = statesOf(film, by);
  const coming = statesOf(filmToCome(film), by);
  const parts = film.map(({ shot, active }): ClipPart => playedOf(active) ?? { seconds: plannedSeconds(shot) });
  const spans = spansOf(
    film.map(({ shot }, index) => ({
      shotId: shot.id,
      ...(parts[index] ?? { seconds: 0 }),
      ...(shot.skipped ? { seconds: 0 } : {}),
    })),
  );
  return film.map((each, index) => {
    const state = states[index] ?? NO_STATE;
    const span = spans[index] ?? { shotId: each.shot.id, start: 0, seconds: 0 };
    const isBeingRedone = state.isStale && coming[index]?.isStale === false;
    return {
      ...each,
      number: index + 1,
      seconds: parts[index]?.seconds ?? 0,
      span,
      link: state.link,
      state,
      isBeingRedone,
    };
  });
}

const NO_STATE: ShotState = { link: undefined, isStale: false, isKept: false, causes: [] };

/** The library picture that a shot starts from, unless it is another shot's. */
export function ownPicture({ source, image, referenceImages }: Shot, known: FilmFacts): Asset | undefined {
  const ref = source === 'references' ? referenceImages[0] : source.startsWith('first') ? image : undefined;
  return ref && 'assetId' in ref ? pictureOf(ref, known) : undefined;
}

/**
 * The cost of a shot's takes so far: charged at the higher price, with the lower one. Test money counts only if there is no real money: the
 * two never share a sum.
 */
export function chargedOf(takes: readonly TakeView[]): { nano: number; lowNano: number; unpriced: number } {
  const jobs = takes.flatMap(({ job }) => job ?? []);
  return summableJobs(jobs).reduce(
    (sum, { money, state }) => ({
      nano: sum.nano + money.chargedNano,
      lowNano: sum.lowNano + money.chargedLowNano,
      unpriced: sum.unpriced + (money.unpriced && isTerminal(state) ? 1 : 0),
    }),
    { nano: 0, lowNano: 0, unpriced: 0 },
  );
}
