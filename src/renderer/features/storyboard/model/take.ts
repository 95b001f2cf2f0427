import type { FilmTake } from '../../../../shared/film/film.ts';
import { sentSeedOf } from '../../../../shared/jobs/resultWords.ts';
import { isRequestOf, KINDS } from '../../../../shared/kinds/index.ts';

/** A take as the page shows it. */
export type TakeView = FilmTake;

/** The seed that a take was sent with: with it, the same take can be made again. */
export const seedOf = (take: Pick<TakeView, 'job'> | undefined): number | undefined =>
  take?.job && sentSeedOf(take.job);

/** The take of the shot that this one repeats in a better form. */
export function promotedFrom({ job }: TakeView, takes: readonly TakeView[]): TakeView | undefined {
  const from = isRequestOf(KINDS.video, job?.request) ? job.request.promotedFrom : undefined;
  return takes.find(({ jobId }) => jobId === from);
}
