import { counted, t } from '../../../../shared/texts.ts';
import './morning.css';
import { useMemo, useState } from 'react';
import type { NightReport } from '../../../../shared/night.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { useJob } from '../../../app/index.ts';
import { EmptyState, formatCount, JobStateGlyph, PriceWords, Tabs } from '../../../ui/index.ts';
import { JobName, useShotTakes } from '../takeNames.tsx';
import { useTriage } from '../triage/useTriage.ts';
import { Happened, openJob } from './Happened.tsx';
import { useFirst } from './longList.tsx';
import { MadeGrid } from './MadeGrid.tsx';
import {
  BELONGS,
  lostCount,
  MORNING_TABS,
  type MorningTab,
  madeGroups,
  type Sent,
  sentCount,
  withoutResult,
} from './madeGroups.ts';
import { nothingMade } from './morningWords.ts';
import { Timeline } from './Timeline.tsx';

const LABELS: Record<MorningTab, string> = {
  judge: t`To judge`,
  kept: t`Kept`,
  others: t`Maybe, no`,
  notMade: t`Not made`,
  night: t`By the hour`,
};

/** A night that is over: what it made, by verdict, what it did not make and why, and how it went. */
export function Morning({ report }: { report: NightReport }) {
  const { made, judged, kept, sent, run } = report;
  const [picked, setPicked] = useState<MorningTab>();
  const counts: Record<MorningTab, number | undefined> = {
    judge: made - judged,
    kept,
    others: judged - kept,
    notMade: lostCount(report) + report.notRun,
    night: undefined,
  };
  const tab = picked ?? (made > judged ? 'judge' : kept > 0 ? 'kept' : (counts.notMade ?? 0) > 0 ? 'notMade' : 'night');
  return (
    <>
      <div className="bar">
        <Tabs
          aria-label={t`What the night made`}
          items={MORNING_TABS.map((value) => ({ value, label: LABELS[value], count: counts[value] }))}
          value={tab}
          onValue={setPicked}
        />
        <span className="grow" />
        <span className="t3 cut in-order">{noteOf(tab, sent, counts[tab])}</span>
      </div>
      {tab === 'night' ? (
        <>
          <Timeline
            startsAt={run.startsAt}
            endsAt={run.endsAt}
            now={run.endsAt}
            capNano={run.capNano}
            capReading={run.capReading}
            dry={undefined}
            sent={sent}
            sentCount={sentCount(report)}
          />
          <Happened report={report} />
        </>
      ) : tab === 'notMade' ? (
        <NotMade report={report} />
      ) : (
        <Made key={tab} report={report} tab={tab} />
      )}
    </>
  );
}

function noteOf(tab: MorningTab, sent: readonly Sent[], count = 0): string {
  if (tab === 'night' || tab === 'notMade') return '';
  const listed = sent.filter(BELONGS[tab]).length;
  return listed < count
    ? t`${formatCount(listed)} of ${formatCount(count)}, in the order of the film`
    : t`in the order of the film`;
}

const EMPTY = {
  judge: [t`Nothing waits for a verdict`, t`All that was made is judged.`],
  kept: [t`Nothing is kept yet`, t`What you keep while judging stands here.`],
  others: [t`Nothing here yet`, t`What you judge as maybe or no stands here.`],
} as const;

function Made({ report, tab }: { report: NightReport; tab: keyof typeof EMPTY }) {
  const shots = useShotTakes(useMemo(() => report.sent.map(({ jobId }) => jobId), [report.sent]));
  const { takes } = useTriage({ runId: report.run.id });
  const triage = useMemo(() => worstByJob(takes), [takes]);
  const areAll = report.sent.length >= sentCount(report);
  const groups = useMemo(() => madeGroups(report.sent, shots, tab, { areAll }), [report.sent, shots, tab, areAll]);
  if (groups.length > 0) return <MadeGrid runId={report.run.id} groups={groups} triage={triage} />;
  const nothing = nothingMade(report);
  const [title, words] = EMPTY[tab];
  return <EmptyState title={nothing ? t`Nothing was made` : title}>{nothing ?? words}</EmptyState>;
}

/** Of several clips of one job the one with most to look at. */
function worstByJob(takes: readonly TriageTake[]): ReadonlyMap<string, TriageTake> {
  const worst = new Map<string, TriageTake>();
  for (const take of takes) {
    const known = worst.get(take.jobId);
    if (!known || take.state === 'broken' || take.findings.length > known.findings.length) worst.set(take.jobId, take);
  }
  return worst;
}

/** What was sent and not made, then what was never sent, each with its reason. */
function NotMade({ report }: { report: NightReport }) {
  const { notRunJobs, notRun } = report;
  const lost = withoutResult(report.sent);
  const count = lostCount(report);
  const failed = useFirst(lost);
  const unsent = useFirst(notRunJobs);
  if (count === 0 && notRun === 0)
    return <EmptyState title={t`All of it was made`}>{t`No job of this night is missing.`}</EmptyState>;
  return (
    <div className="scroll">
      {lost.length > 0 && (
        <>
          <div className="grp">
            {t`Sent, and not made`}{' '}
            <span className="t3">
              {lost.length < count ? t`${formatCount(lost.length)} of ${formatCount(count)}` : formatCount(count)}
            </span>
          </div>
          <ol className="evs" aria-label={t`Sent, and not made`}>
            {failed.shown.map((one) => (
              <Lost key={one.jobId} of={one} />
            ))}
          </ol>
          {failed.more}
        </>
      )}
      {notRunJobs.length > 0 && (
        <>
          <div className="grp">
            {t`Not sent`}{' '}
            <span className="t3">
              {t`${counted(notRun, 'job')}, nothing was spent on them`}
              {notRunJobs.length < notRun && t`, the first ${formatCount(notRunJobs.length)} are listed`}
            </span>
          </div>
          <ol className="evs" aria-label={t`Not sent`}>
            {unsent.shown.map(({ jobId, message }) => (
              <li key={jobId}>
                <button type="button" className="lnk cut" onClick={() => openJob(jobId)}>
                  <JobName id={jobId} />
                </button>
                <span className="t3 grow cut" title={message}>
                  {message}
                </span>
              </li>
            ))}
          </ol>
          {unsent.more}
        </>
      )}
    </div>
  );
}

function Lost({ of: { jobId, state, nano, lowNano, unpriced } }: { of: Sent }) {
  const why = useJob(jobId)?.error?.message;
  return (
    <li>
      <JobStateGlyph state={state} bare />
      <button type="button" className="lnk cut" onClick={() => openJob(jobId)}>
        <JobName id={jobId} />
      </button>
      <span className="t3 grow cut" title={why}>
        {why}
      </span>
      <span className="t2">
        <PriceWords nano={nano} lowNano={lowNano} as="most" unpriced={unpriced ? 1 : 0} />
      </span>
    </li>
  );
}
