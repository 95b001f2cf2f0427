import { NEWEST_ENDED, type NightReport } from '../../../../shared/night.ts';
import { t } from '../../../../shared/texts.ts';
import { formatClockSeconds, formatCount, JobStateGlyph, PriceWords } from '../../../ui/index.ts';
import { JobName } from '../takeNames.tsx';
import { openJob } from './listActions.ts';
import { useFirst } from './longList.tsx';
import styles from './night.module.css';

/** What ended, newest first: all of it, or the newest where some of it is not listed. */
export function Happened({ report }: { report: NightReport }) {
  const listed = report.sent
    .filter(({ endsAt }) => endsAt !== undefined)
    .sort((one, other) => (other.endsAt ?? 0) - (one.endsAt ?? 0));
  const isCut = listed.length < report.ended;
  const ended = isCut ? listed.slice(0, NEWEST_ENDED) : listed;
  const { shown, more } = useFirst(ended);
  const note = isCut ? t`the newest ${formatCount(ended.length)} of ${formatCount(report.ended)}` : t`newest first`;
  return (
    <div className="scroll">
      <div className="grp">
        {t`What happened`} <span className="t3">{note}</span>
      </div>
      {ended.length === 0 && <p className="pad t3">{t`Nothing has ended yet.`}</p>}
      <ol className={styles.evs} aria-label={t`What happened`}>
        {shown.map((job) => (
          <li key={job.jobId}>
            <span className="mono t3">{formatClockSeconds(job.endsAt ?? 0)}</span>
            <JobStateGlyph state={job.state} bare />
            <button type="button" className="lnk grow cut" onClick={() => openJob(job.jobId)}>
              <JobName id={job.jobId} />
            </button>
            <span className="t2">
              <PriceWords nano={job.nano} lowNano={job.lowNano} as="most" unpriced={job.unpriced ? 1 : 0} />
            </span>
          </li>
        ))}
      </ol>
      {more}
    </div>
  );
}
