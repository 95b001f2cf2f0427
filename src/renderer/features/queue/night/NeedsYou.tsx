import type { ReactNode } from 'react';
import type { NightReport } from '../../../../shared/jobs/night.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { navigate, useJob } from '../../../app/index.ts';
import {
  Button,
  formatClock,
  formatCount,
  formatSpan,
  JobStateGlyph,
  KeyValue,
  Panel,
  PriceWords,
  partText,
  Section,
  TextAction,
} from '../../../ui/index.ts';
import { JobName } from '../takeNames.tsx';
import { isLeft, notRunCount, plannedWords, type Sent } from './morningWords.ts';
import styles from './night.module.css';

/** As many as are shown with their reason; the others are in the queue. */
const MOST = 50;

/** What a person has to decide, apart from what was made, and how the night went beside its plan. */
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
        <span className="t3">{formatCount(count)}</span>
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
        <BesidePlan report={report} />
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

/** What was planned and what came of it. */
function BesidePlan({ report }: { report: NightReport }) {
  const { run, sent, spent, lastEndedAt } = report;
  const lengthOf = ({ startsAt, endsAt = startsAt }: Sent) => endsAt - startsAt;
  const slowest = sent.reduce<Sent | undefined>(
    (most, one) => (most === undefined || lengthOf(one) > lengthOf(most) ? one : most),
    undefined,
  );
  if (sent.length === 0) return null;
  return (
    <Section title={t`Plan and result`}>
      <KeyValue
        items={[
          [
            t`Ended`,
            beside(
              lastEndedAt === undefined ? t`Not yet` : formatClock(lastEndedAt),
              t`Planned end ${formatClock(run.endsAt)}`,
            ),
          ],
          [t`Cost`, beside(partText(spent.settledNano, spent.unpriced, spent.settledLowNano), plannedWords(report))],
          slowest &&
            lengthOf(slowest) > 0 && [
              t`Slowest`,
              <span key="slowest" className="cut">
                <JobName id={slowest.jobId} />, {formatSpan(lengthOf(slowest))}
              </span>,
            ],
        ]}
      />
    </Section>
  );
}

/** What came of it, and beside it what was planned or allowed. */
export const beside = (figure: ReactNode, plan: string) => (
  <>
    {figure} <span className="t3">{plan}</span>
  </>
);
