import { MAX_CHAIN } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { type JudgedBy, statesOf } from '../../../../shared/board/shotLinks.ts';
import { durationWords } from '../../../../shared/contract/duration.ts';
import { filmToCome, isDead } from '../../../../shared/film/film.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import { formatLocale, inflected, t } from '../../../../shared/text/texts.ts';
import { plural } from '../../../ui/index.ts';
import type { BoardEdit } from '../model/shots.ts';
import type { ShotView, TakeView } from '../model/view.ts';
import { capital } from '../takeWords.ts';

/** Chains of shots that are made together, and their texts. */

/** This shot and later ones that start from it, directly or indirectly, with earlier ones that it needs and that have no take. */
export function chainAt(shots: readonly ShotView[], view: ShotView): ShotView[] {
  const film = shots.filter(({ shot }) => !shot.skipped);
  const at = film.indexOf(view);
  if (at < 0) return [];
  const isJoined = (each: ShotView | undefined) => each?.link !== undefined && each.link.kind !== 'cut';
  let first = at;
  while (isJoined(film[first]) && !filmToCome(film.slice(first - 1, first))[0]?.active) first--;
  let end = at + 1;
  while (isJoined(film[end])) end++;
  return film.slice(first, end);
}

/** Why this many shots cannot be made together. */
export const whyTooMany = (count: number): string | undefined =>
  count > MAX_CHAIN ? t`At most ${MAX_CHAIN} shots at once; these are ${count}.` : undefined;

/** `4`, `4 and 5`, `4, 5 and 7`. */
export const numbersOf = (shots: readonly ShotView[]): string => AND.format(shots.map(({ number }) => String(number)));

const AND = new Intl.ListFormat(formatLocale(), { type: 'conjunction' });

/** `Shots 2–5`, `Shots 2, 3 and 5`. */
export function shotsText(shots: readonly ShotView[]): string {
  const [first, last] = [shots[0]?.number ?? 0, shots.at(-1)?.number ?? 0];
  if (shots.length === 1) return t`shot ${first}`;
  return last - first === shots.length - 1 && shots.length > 2
    ? t`shots ${first}–${last}`
    : t`shots ${numbersOf(shots)}`;
}

/** A chain in which one take failed, so the later ones were not sent. */
export interface BrokenChain {
  head: ShotView;
  behind: ShotView[];
}

/** The first chain with a selected take that failed or was canceled, and later takes that waited for it. */
export function brokenChain(shots: readonly ShotView[]): BrokenChain | undefined {
  const chosen = (view: ShotView) => view.takes.find(({ jobId }) => jobId === view.shot.activeTake);
  const dead = shots.filter((view) => isDead(chosen(view)?.job));
  for (const head of dead) {
    const waited = new Set([chosen(head)?.jobId]);
    const behind = dead.filter((view) => {
      const take = chosen(view);
      if (view === head || !take?.job?.dependsOn.some((id) => waited.has(id))) return false;
      waited.add(take.jobId);
      return true;
    });
    if (behind.length > 0) return { head, behind };
  }
  return undefined;
}

export function brokenText({ head, behind }: BrokenChain): string {
  const take = head.takes.find(({ jobId }) => jobId === head.shot.activeTake);
  return t`Take ${take?.number} of shot ${head.number} was not made. Not sent, not billed: ${shotsText(behind)}.`;
}

interface CastFilm {
  shots: readonly ShotView[];
  cast: readonly CastMember[] | undefined;
}

/** One sentence on why these shots are outdated. */
export function staleText({ shots, cast = [] }: CastFilm, stale: readonly ShotView[]): string {
  const causes = stale.flatMap(({ state }) => state.causes);
  const which = capital(shotsText(stale));
  if (causes.some(({ why }) => why === 'joint')) return t`${which}: the link has changed.`;
  const changed = shots.filter(({ shot }) => causes.some(({ shotId, why }) => shotId === shot.id && why === 'take'));
  const members = cast.filter(({ id }) => causes.some((cause) => cause.why === 'sheet' && cause.memberId === id));
  if (members.length === 0)
    return t`${which} ${inflected(stale.length, 'continues', 'continue')} from an old take of ${shotsText(changed)}.`;
  const names = AND.format(members.map(({ name }) => name.trim()));
  return t`${which}: ${[names, changed.length > 0 && shotsText(changed)].filter(Boolean).join(', ')} changed.`;
}

export const takesText = (count: number, seconds: number): string =>
  `${plural(count, 'take')}, ${durationWords(seconds, 0)}`;

/** Existing or coming takes of an outdated shot that start where they should, so that nothing must be made. */

export interface Fitting {
  /** The newest finished one; it only has to be selected. */
  done: TakeView | undefined;
  /** The newest one in progress. */
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

/** Selects these takes for their shots, in one undoable step. */
export const usingTakes =
  (uses: readonly { view: ShotView; take: TakeView }[]): BoardEdit =>
  (shots) =>
    shots.map((shot) => {
      const use = uses.find(({ view }) => view.shot.id === shot.id);
      if (!use) return shot;
      const { jobId, clipIndex } = use.take;
      return { ...shot, activeTake: jobId, activeOutput: clipIndex === 0 ? undefined : clipIndex };
    });
