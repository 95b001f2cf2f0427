import type { NightReport } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { priceText } from '../../../ui/index.ts';

export type Sent = NightReport['sent'][number];

/** How many were sent; a long run does not list all of them. */
export const sentCount = ({ made, failed, refused, inDoubt, canceledSent, underWay }: NightReport): number =>
  made + failed + refused + inDoubt + canceledSent + underWay;

/** The outcome of a run that made nothing; undefined if it made something. */
export function nothingMade({ jobs, made }: Pick<NightReport, 'jobs' | 'made'>): string | undefined {
  if (made > 0) return undefined;
  return jobs === 0 ? t`No jobs were in this run.` : t`Nothing was made.`;
}

/** The planned cost of its jobs: `Planned $16.50`. */
export function plannedWords({
  plannedNano,
  plannedUnpriced,
}: Pick<NightReport, 'plannedNano' | 'plannedUnpriced'>): string {
  if (plannedNano === 0 && plannedUnpriced > 0) return t`No planned price`;
  return t`Planned ${priceText(plannedNano, plannedNano, 'range', plannedUnpriced)}`;
}

/** A job that did not run and was not taken out of the run. */
export const isLeft = ({ reason }: NightReport['notRunJobs'][number]): boolean => reason !== 'moved';

/** How many jobs of the run did not run and wait for a decision. */
export const notRunCount = ({ notRun, notRunJobs }: Pick<NightReport, 'notRun' | 'notRunJobs'>): number =>
  notRun - notRunJobs.filter((job) => !isLeft(job)).length;
