import type { FilmTake } from '../../../../shared/film.ts';
import { kindOf } from '../../../../shared/kinds/index.ts';

/** A take as the page shows it. */
export type TakeView = FilmTake;

/** The seed that a take was sent with: with it, the same take can be made again. */
export const seedOf = (take: Pick<TakeView, 'job'> | undefined): number | undefined =>
  take?.job && kindOf(take.job).seed(take.job.request);
