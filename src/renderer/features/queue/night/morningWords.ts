import { formatNano } from '../../../../shared/money.ts';
import type { NightReport } from '../../../../shared/night.ts';
import { t } from '../../../../shared/texts.ts';
import { priceText } from '../../../ui/index.ts';

export type Sent = NightReport['sent'][number];

/** How many were sent: of a long night not all of them are listed. */
export const sentCount = ({ made, failed, refused, inDoubt, canceledSent, underWay }: NightReport): number =>
  made + failed + refused + inDoubt + canceledSent + underWay;

type Outcome = Pick<
  NightReport,
  'jobs' | 'made' | 'failed' | 'refused' | 'canceled' | 'inDoubt' | 'underWay' | 'notRun' | 'spent'
>;

/** What came of a night that made nothing; undefined where it made something. */
export function nothingMade(report: Outcome): string | undefined {
  if (report.made > 0) return undefined;
  if (report.jobs === 0) return t`No jobs were in this run. Nothing was made or spent.`;
  const be = (count: number) => (count === 1 ? 'was' : 'were');
  const is = (count: number) => (count === 1 ? 'is' : 'are');
  const parts: [number, string][] = [
    [report.failed, 'failed'],
    [report.refused, t`${be(report.refused)} refused by the filter`],
    [report.inDoubt, t`${is(report.inDoubt)} unconfirmed`],
    [report.canceled, t`${be(report.canceled)} canceled`],
    [report.underWay, t`${is(report.underWay)} still under way`],
    [report.notRun, t`${be(report.notRun)} not sent`],
  ];
  const said = parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return t`Nothing was made: ${said.join(', ')}. ${spentWords(report.spent)}`;
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
    settledNano > 0 && t`${priceText(settledNano, settledLowNano, 'most')} was spent`,
    uncertainNano > 0 && t`${formatNano(uncertainNano)} is unconfirmed`,
  ].filter((part) => part !== false);
  if (unpriced > 0) parts.push(t`${unpriced} of them have no price`);
  if (parts.length === 0) return t`Nothing was spent.`;
  const text = parts.join(', and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A job that the night did not run and that nobody has taken out of it. */
export const isLeft = ({ reason }: NightReport['notRunJobs'][number]): boolean => reason !== 'moved';

/** How many of the night's jobs were not run and wait for a decision. */
export const notRunCount = ({ notRun, notRunJobs }: Pick<NightReport, 'notRun' | 'notRunJobs'>): number =>
  notRun - notRunJobs.filter((job) => !isLeft(job)).length;

/** Where nobody has to decide anything, what is left to do. */
export function nothingNeeded({ made, judged, jobs }: Pick<NightReport, 'made' | 'judged' | 'jobs'>): string {
  if (made === 0)
    return jobs === 0 ? t`Nothing: no job was in it.` : t`Nothing: no job failed, and none is unconfirmed.`;
  return judged < made ? t`Nothing. What was made waits for a rating.` : t`Nothing. All that was made is rated.`;
}
