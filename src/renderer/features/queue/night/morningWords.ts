import type { NightReport } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { priceText } from '../../../ui/index.ts';

export type Sent = NightReport['sent'][number];

/** How many were sent: of a long night not all of them are listed. */
export const sentCount = ({ made, failed, refused, inDoubt, canceledSent, underWay }: NightReport): number =>
  made + failed + refused + inDoubt + canceledSent + underWay;

type Outcome = Pick<NightReport, 'jobs' | 'made' | 'spent'>;

/** What came of a night that made nothing; undefined where it made something. */
export function nothingMade(report: Outcome): string | undefined {
  if (report.made > 0) return undefined;
  if (report.jobs === 0) return t`No jobs were in this run.`;
  return `${t`Nothing was made.`} ${spentWords(report.spent)}`;
}

/** What its jobs were to cost: `of $16.50 planned`. */
export function plannedWords({
  plannedNano,
  plannedUnpriced,
}: Pick<NightReport, 'plannedNano' | 'plannedUnpriced'>): string {
  if (plannedNano === 0 && plannedUnpriced > 0) return t`no planned price`;
  return t`of ${priceText(plannedNano, plannedNano, 'range', plannedUnpriced)} planned`;
}

function spentWords({ settledNano, settledLowNano, uncertainNano, unpriced }: NightReport['spent']): string {
  const parts = [
    settledNano > 0 && t`${priceText(settledNano, settledLowNano, 'most')} was spent.`,
    uncertainNano > 0 && t`${formatNano(uncertainNano)} is unconfirmed.`,
    unpriced > 0 && t`${counted(unpriced, 'job')} without a price.`,
  ].filter((part) => part !== false);
  return parts.join(' ') || t`Nothing was spent.`;
}

/** A job that the night did not run and that nobody has taken out of it. */
export const isLeft = ({ reason }: NightReport['notRunJobs'][number]): boolean => reason !== 'moved';

/** How many of the night's jobs were not run and wait for a decision. */
export const notRunCount = ({ notRun, notRunJobs }: Pick<NightReport, 'notRun' | 'notRunJobs'>): number =>
  notRun - notRunJobs.filter((job) => !isLeft(job)).length;

/** Where nobody has to decide anything, what is left to do. */
export function nothingNeeded({ made, judged, jobs }: Pick<NightReport, 'made' | 'judged' | 'jobs'>): string {
  if (jobs === 0) return t`No jobs were in this run.`;
  return judged < made ? t`Only the new takes are left to rate.` : t`Nothing.`;
}
