import type { NightReport as Report } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { evidenceOfNight, hashOf, MoneyPlate } from '../../../app/index.ts';
import {
  formatClock,
  formatCount,
  formatStamp,
  MoneyBar,
  MoneyLegend,
  plural,
  UncertainGlyph,
} from '../../../ui/index.ts';
import { plannedWords } from './morningWords.ts';
import nightStyles from './night.module.css';

interface ReportCountProps {
  name: string;
  value: number;
  doubt?: boolean;
}

/** One count of a report, hidden if 0. */
const ReportCount = ({ name, value, doubt = false }: ReportCountProps) =>
  value > 0 && (
    <div>
      <dt>{name}</dt>
      <dd className={doubt ? 'st uncertain' : undefined}>
        {doubt && <UncertainGlyph />}
        {formatCount(value)}
      </dd>
    </div>
  );

interface NightFiguresProps {
  report: Report;
  /** The heading of the page already names the run. */
  isNamed?: boolean;
}

/** The morning report: every job counted once, and three amounts that are never added up. */
export function NightFigures({ report, isNamed = false }: NightFiguresProps) {
  const { run, spent, corrected } = report;
  const planned = report.plannedNano;
  return (
    <div className={nightStyles.repL}>
      <div className="row">
        {!isNamed && <h2>{t`Overnight run ${run.number}`}</h2>}
        <span className="t3 cut">{whenOf(report)}</span>
        {!isNamed && (
          <a className="lnk nw" href={hashOf('queue', { run: run.id }, 'night')}>
            {t`Full report`}
          </a>
        )}
        {isNamed && report.firstSentAt !== undefined && (
          <a className="lnk nw" href={evidenceOfNight(run.id)}>
            {t`Job record`}
          </a>
        )}
      </div>
      {run.endedBy && run.endedBy !== 'window' && <p className="t2">{run.endedText}</p>}
      <dl className="figs">
        <ReportCount name={t`Made`} value={report.made} />
        <ReportCount name={t`Not rated`} value={report.made - report.judged} />
        <ReportCount name={t`Kept`} value={report.kept} />
        <ReportCount name={t`Failed`} value={report.failed} />
        <ReportCount name={t`Refused`} value={report.refused} />
        <ReportCount name={run.state === 'open' ? t`Still to run` : t`Not run`} value={report.notRun} />
        <ReportCount name={t`Running`} value={report.underWay} />
        <ReportCount name={t`Unconfirmed`} value={report.inDoubt} doubt />
      </dl>
      {report.askedAgain && <p className="t2">{askedAgainWords(report.askedAgain)}</p>}
      <MoneyBar totals={spent} limitNano={Math.max(planned, spent.settledNano + spent.uncertainNano)} height={10} />
      <MoneyLegend totals={spent}>
        <span className="t3">
          {plannedWords(report)}, {capWords(run)}
        </span>
        {run.play && <MoneyPlate play />}
        {corrected.settledNano !== 0 && (
          <span className="t3">{t`Corrected to ${formatNano(corrected.settledNano)}`}</span>
        )}
      </MoneyLegend>
    </div>
  );
}

/** `Budget $20.00`. If the lower price counts, the counted amount is shown too, since more may have been spent. */
const capWords = ({ capNano, capReading, countedNano }: Report['run']): string =>
  capReading === 'high'
    ? t`Budget ${formatNano(capNano)}`
    : t`Budget ${formatNano(capNano)}, ${formatNano(countedNano)} used at the lower price`;

const askedAgainWords = ({ jobs, answered }: NonNullable<Report['askedAgain']>): string =>
  t`${counted(jobs, 'job')} repeated with the same key, ${answered} answered.`;

function whenOf(report: Report): string {
  const { run, firstSentAt, lastEndedAt, jobs, complete } = report;
  const count = plural(jobs, 'job');
  if (firstSentAt === undefined) return `${t`${formatStamp(run.startsAt)} to ${formatClock(run.endsAt)}`}, ${count}`;
  const until = lastEndedAt ?? run.endsAt;
  const hours = t`${formatStamp(firstSentAt)} to ${formatClock(until)}`;
  return [hours, count, !complete && run.state !== 'open' && t`Running`].filter(Boolean).join(', ');
}
