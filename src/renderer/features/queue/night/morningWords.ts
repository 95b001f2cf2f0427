import type { NightReport } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { priceText } from '../../../ui/index.ts';

export type Sent = NightReport['sent'][number];

/** How many were sent: of a long night not all of them are listed. */
export const sentCount = ({ made, failed, refused, inDoubt, canceledSent, underWay }: NightReport): number =>
  made + failed + refused + inDoubt + canceledSent + underWay;

/** What came of a night that made nothing; undefined where it made something. */
export function nothingMade({ jobs, made }: Pick<NightReport, 'jobs' | 'made'>): string | undefined {
  if (made > 0) return undefined;
  return jobs === 0 ? t`No jobs were in this run.` : t`Nothing was made.`;
}

/** What its jobs were to cost: `Planned $16.50`. */
export function plannedWords({
  plannedNano,
  plannedUnpriced,
}: Pick<NightReport, 'plannedNano' | 'plannedUnpriced'>): string {
  if (plannedNano === 0 && plannedUnpriced > 0) return t`No planned price`;
  return t`Planned ${priceText(plannedNano, plannedNano, 'range', plannedUnpriced)}`;
}

/** A job that the night did not run and that nobody has taken out of it. */
export const isLeft = ({ reason }: NightReport['notRunJobs'][number]): boolean => reason !== 'moved';

/** How many of the night's jobs were not run and wait for a decision. */
export const notRunCount = ({ notRun, notRunJobs }: Pick<NightReport, 'notRun' | 'notRunJobs'>): number =>
  notRun - notRunJobs.filter((job) => !isLeft(job)).length;
