import type { NightReport } from '../../../../shared/jobs/night.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { navigate, useJob } from '../../../app/index.ts';
import { Button, formatCount, JobStateGlyph, Panel, PriceWords, Section, TextAction } from '../../../ui/index.ts';
import { JobName } from '../takeNames.tsx';
import { isLeft, notRunCount, type Sent } from './morningWords.ts';
import styles from './night.module.css';

/** This many are shown with their reason; the others are in the queue. */
const MOST = 50;

/** Decisions for the user, separate from the results. */
export function NeedsYou({ report }: { report: NightReport }) {
  const notRun = notRunCount(report);
  const count = report.failed + report.refused + report.inDoubt + notRun;
  const shown = report.sent.filter(({ state }) => state === 'uncertain' || state === 'failed').slice(0, MOST);
  const waiting = report.notRunJobs.filter(isLeft).slice(0, MOST - shown.length);
  const listed = shown.length + waiting.length;
  return (
    <Panel label={t`Needs your decision`} className={styles.nplan}>
      <div className="bar">
        <h2>{t`Needs your decision`}</h2>
        {count > 0 && <span className="t3">{formatCount(count)}</span>}
      </div>
      <div className="scroll">
        {count === 0 && <p className="pad t3">{t`Nothing`}</p>}
        {shown.map((job) => (
          <Section key={job.jobId}>
            <NeedsYouJob job={job} />
          </Section>
        ))}
        {notRun > 0 && (
          <Section title={t`${counted(notRun, 'job')} not run`}>
            {waiting.map(({ jobId, message }) => (
              <div key={jobId} className="col">
                <button type="button" className="lnk cut" onClick={() => navigate('queue', { job: jobId })}>
                  <JobName id={jobId} />
                </button>
                <p className="t2">{message}</p>
              </div>
            ))}
          </Section>
        )}
        {count > listed && (
          <p className="pad">
            <TextAction onClick={() => navigate('queue')}>
              {t`${formatCount(count - listed)} more in the queue`}
            </TextAction>
          </p>
        )}
      </div>
      <div className="sendbar">
        <div className="row">
          <Button className="grow" onClick={() => navigate('queue', {}, 'night')}>
            {t`Schedule run ${report.run.number + 1}`}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

function NeedsYouJob({ job: { jobId, state, refused, nano, lowNano, unpriced } }: { job: Sent }) {
  const job = useJob(jobId);
  return (
    <>
      <div className="row">
        <JobStateGlyph state={state} bare />
        <button type="button" className="lnk grow cut" onClick={() => navigate('queue', { job: jobId })}>
          <JobName id={jobId} />
          {refused && ` · ${t`Refused`}`}
        </button>
        <PriceWords nano={nano} lowNano={lowNano} as="most" unpriced={unpriced} />
      </div>
      <p className="t2">{job?.error?.message}</p>
    </>
  );
}
