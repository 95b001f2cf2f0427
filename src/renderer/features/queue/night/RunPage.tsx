import { MonitorPlay } from 'lucide-react';
import { useState } from 'react';
import { type DryRun, NEWEST_ENDED, type NightReport, type NightRun } from '../../../../shared/jobs/night.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import {
  ActionButton,
  BackButton,
  navigate,
  useAction,
  useCall,
  useJob,
  useNow,
  usePlace,
  useRunningWords,
} from '../../../app/index.ts';
import {
  Button,
  formatClock,
  formatClockSeconds,
  formatCount,
  Icon,
  JobStateGlyph,
  KeyValue,
  Panel,
  PriceWords,
  ProgressBar,
  priceText,
  Reading,
  Refusal,
  Section,
  TextAction,
  Thumb,
} from '../../../ui/index.ts';
import queueStyles from '../queue.module.css';
import { JobName } from '../takeNames.tsx';
import { nothingMade, type Sent, sentCount } from './morningWords.ts';
import { NeedsYou } from './NeedsYou.tsx';
import { NightFigures } from './NightReport.tsx';
import nightStyles from './night.module.css';
import { StopNight } from './StopNight.tsx';
import { Timeline } from './Timeline.tsx';
import { useDryRun } from './useNight.ts';

const UNDER_WAY = ['sending', 'running', 'fetching'];

/** An open run with its progress, or one that is over: what happened, decisions for the user, and the way to review the results. */
export function RunPage({ runId, night }: { runId: string; night: NightRun | undefined }) {
  const report = useCall('night.report', { runId }, { on: ['night.changed', 'job.changed'] });
  const { data } = report;
  const now = useNow(30_000);
  const dry = useDryRun(night?.id);
  usePlace('run');
  const back = <BackButton onLeave={() => navigate('queue')}>{t`Queue`}</BackButton>;
  if (!data)
    return (
      <main data-page="queue" className={`page ${queueStyles.queue}`}>
        <h1 className="vh">{t`Overnight run`}</h1>
        <div className="col">
          <div className="bar">{back}</div>
          <Reading of={report} rows={6} />
        </div>
      </main>
    );
  const { run, sent } = data;
  return (
    <main data-page="queue" className={`page ${queueStyles.queue} ${nightStyles.nightp}`}>
      <div className="col" data-panel tabIndex={-1}>
        <div className="bar">
          {back}
          <h1>{t`Overnight run ${run.number}`}</h1>
          {run.held === 'battery' && <span className="t2">{t`On hold: this computer is on battery`}</span>}
        </div>
        <section className={`${queueStyles.report} ${nightStyles.nrep}`} aria-label={t`Overnight run ${run.number}`}>
          <NightFigures report={data} isNamed />
          <ReviewLink report={data} />
        </section>
        <Timeline
          startsAt={run.startsAt}
          endsAt={run.endsAt}
          now={night ? now : run.endsAt}
          capNano={run.capNano}
          capReading={run.capReading}
          dry={dry.data}
          sent={sent}
          sentCount={sentCount(data)}
        />
        <Happened report={data} />
      </div>
      {night ? <NowPanel night={night} sent={sent} dry={dry.data} now={now} /> : <NeedsYou report={data} />}
    </main>
  );
}

/** The main button of the morning; if nothing was made, the outcome of the run. */
function ReviewLink({ report }: { report: NightReport }) {
  const { run, made, judged } = report;
  const review = () => navigate('review', { run: run.id });
  const nothing = run.state === 'ended' ? nothingMade(report) : undefined;
  if (nothing !== undefined) return <p className={`t2 ${nightStyles.mgo}`}>{nothing}</p>;
  if (made === 0) return null;
  const isDone = judged === made;
  return (
    <div className={nightStyles.mgo}>
      <ActionButton
        variant={run.state === 'ended' && !isDone ? 'primary' : 'secondary'}
        action="night.review"
        onDo={review}
      >
        <Icon of={MonitorPlay} />
        {t`Review ${counted(made, 'take')}`}
      </ActionButton>
    </div>
  );
}

interface NowProps {
  night: NightRun;
  sent: readonly Sent[];
  dry: DryRun | undefined;
  now: number;
}

function NowPanel({ night, sent, dry, now }: NowProps) {
  const [stopping, setStopping] = useState(false);
  const { refusal, run } = useAction();
  const live = sent.filter(({ state }) => UNDER_WAY.includes(state));
  const unpriced = (dry?.unpriced ?? 0) + live.filter((job) => job.unpriced).length;
  const { rules, inRow } = night;
  return (
    <Panel label={t`Now`} className={nightStyles.nplan}>
      <div className="bar">
        <h2>{t`Now`}</h2>
        <span className="grow" />
        <span className="t3">{formatClock(now)}</span>
      </div>
      <div className="scroll">
        <div className="stack pad">
          {live.slice(0, 20).map(({ jobId }) => (
            <LiveJob key={jobId} id={jobId} />
          ))}
          {live.length === 0 && <p className="t3">{t`No jobs are running.`}</p>}
        </div>
        {(rules.failuresInRow ?? rules.refusalsInRow) !== null && (
          <Section title={t`Rules`}>
            <KeyValue
              items={[
                [t`Failures in a row`, ofLimit(inRow.failures, rules.failuresInRow)],
                [t`Refusals in a row`, ofLimit(inRow.refusals, rules.refusalsInRow)],
              ]}
            />
          </Section>
        )}
      </div>
      <div className="sendbar">
        <div className="row between">
          <span className="t2">{t`Reserved`}</span>
          <b>{priceText(night.used.reservedNano, night.used.reservedNano, 'most', unpriced)}</b>
        </div>
        <div className="row">
          <ActionButton className="grow" action="queue.pause" onDo={() => setStopping(true)}>
            {live.length === 0 ? t`Stop the run` : t`Finish ${live.length}, then stop`}
          </ActionButton>
          <Button onClick={() => navigate('queue', { plan: 'change' }, 'night')}>{t`Change`}</Button>
        </div>
        <Refusal text={refusal} />
      </div>
      <StopNight night={night} open={stopping} onClose={() => setStopping(false)} run={run} />
    </Panel>
  );
}

const ofLimit = (count: number, limit: number | null) =>
  limit !== null && (
    <>
      {count} <span className="t3">{t`of ${limit}`}</span>
    </>
  );

function LiveJob({ id }: { id: string }) {
  const job = useJob(id);
  const running = useRunningWords(job);
  if (!job) return null;
  return (
    <div className="row">
      <Thumb asset={job.outputs[0]} />
      <div className="grow col">
        <div className="row">
          <span className="grow cut">
            <JobName id={id} />
          </span>
          <PriceWords
            nano={job.money.estimateNano}
            lowNano={job.money.estimateLowNano}
            as="most"
            unpriced={job.money.unpriced}
          />
        </div>
        <div className="row t3">
          <JobStateGlyph state={job.state} progress={job.progress}>
            {running}
          </JobStateGlyph>
        </div>
        <ProgressBar percent={job.progress} label={t`Progress`} />
      </div>
    </div>
  );
}

/** First rows of a list; each row reads its job. */
const AT_FIRST = 100;

/** Ended jobs, newest first: all of them, or the newest if some are not listed. */
function Happened({ report }: { report: NightReport }) {
  const listed = report.sent
    .filter(({ endsAt }) => endsAt !== undefined)
    .sort((one, other) => (other.endsAt ?? 0) - (one.endsAt ?? 0));
  const isCut = listed.length < report.ended;
  const ended = isCut ? listed.slice(0, NEWEST_ENDED) : listed;
  const [most, setMost] = useState(AT_FIRST);
  const note = isCut ? t`Newest ${formatCount(ended.length)} of ${formatCount(report.ended)}` : '';
  return (
    <div className="scroll">
      <div className="grp">
        {t`Ended jobs`} <span className="t3">{note}</span>
      </div>
      {ended.length === 0 && <p className="pad t3">{t`No job has ended yet.`}</p>}
      <ol aria-label={t`Ended jobs`}>
        {ended.slice(0, most).map((job) => (
          <li key={job.jobId} className="row line-item nw">
            <span className="mono t3">{formatClockSeconds(job.endsAt ?? 0)}</span>
            <JobStateGlyph state={job.state} bare />
            <button type="button" className="lnk grow cut" onClick={() => navigate('queue', { job: job.jobId })}>
              <JobName id={job.jobId} />
            </button>
            <span className="t2">
              <PriceWords nano={job.nano} lowNano={job.lowNano} as="most" unpriced={job.unpriced} />
            </span>
          </li>
        ))}
      </ol>
      {ended.length > most && (
        <p className="pad">
          <TextAction onClick={() => setMost(most + AT_FIRST)}>
            {t`Show more of ${formatCount(ended.length)}`}
          </TextAction>
        </p>
      )}
    </div>
  );
}
