import { useEffect, useMemo } from 'react';
import type { NightStatus } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { BackButton, navigate, useNow, usePlace, useRoute, useShortcut } from '../../../app/index.ts';
import { forgetNightOrder, useNightOrder } from '../../../spending/index.ts';
import { Button, EmptyState, formatClock, formatStamp, Reading } from '../../../ui/index.ts';
import queueStyles from '../queue.module.css';
import { NightLists } from './NightLists.tsx';
import styles from './night.module.css';
import { PlanPanel } from './PlanPanel.tsx';
import { usePlanDraft } from './planDraft.ts';
import { dollarsOf, planOf } from './planForm.ts';
import { RunPage } from './RunPage.tsx';
import { Timeline } from './Timeline.tsx';
import { type Trial, useTrial, WORKING_OUT } from './trial.ts';
import { useNight } from './useNight.ts';

const TYPING_MS = 250;

/** `#/queue/night` shows the scheduled or open run, `?run=ID` one that is over. */
export function NightPage() {
  const { params } = useRoute();
  const night = useNight();
  const { data } = night;
  const run = params.get('run') ?? undefined;
  const current = data?.current;
  // Requests that were brought to the plan are dropped when the page is left.
  useEffect(() => forgetNightOrder, []);
  return !data ? (
    <main data-page="queue" className={`page ${queueStyles.queue}`}>
      <h1 className="vh">{t`Overnight run`}</h1>
      <Reading of={night} rows={6} />
    </main>
  ) : run !== undefined && run !== current?.id ? (
    <RunPage runId={run} night={undefined} />
  ) : current?.state === 'open' && !params.has('plan') ? (
    <RunPage runId={current.id} night={current} />
  ) : (
    <Compose key={current?.id} status={data} />
  );
}

/** The plan as typed, tried at once on the jobs of the run. */
function Compose({ status }: { status: NightStatus }) {
  const { current, last } = status;
  const [form, change] = usePlanDraft(status);
  const judged = useMemo(() => planOf(form), [form]);
  const now = useNow(60_000);
  const trial = useTrial(judged, TYPING_MS);
  const { dry, reload } = trial;
  const isOrdered = useNightOrder(({ order }) => order !== undefined);
  usePlace('night');
  const dryHint = useShortcut('night.dry', reload);
  const number = current?.number ?? (last?.number ?? 0) + 1;
  return (
    <main data-page="queue" className={`page ${queueStyles.queue} ${styles.nightp}`}>
      <div className="col" data-panel tabIndex={-1}>
        <div className="bar">
          <BackButton onLeave={leavePlan}>{isOrdered ? t`Back` : t`Queue`}</BackButton>
          <h1>{t`Overnight run ${number}`}</h1>
          {dry && <span className="t3 cut">{t`${formatStamp(dry.startsAt)} to ${formatClock(dry.endsAt)}`}</span>}
          <span className="grow" />
          {dry && <span className="t2 cut">{whichRun(dry.at, trial.off)}</span>}
          <Button variant="ghost" kbd={dryHint} onClick={reload}>
            {t`Check again`}
          </Button>
        </div>
        {dry ? (
          <>
            <Timeline
              startsAt={dry.startsAt}
              endsAt={dry.endsAt}
              now={now}
              capNano={dry.capNano}
              capReading={dry.capReading}
              dry={dry}
              sent={NOTHING_SENT}
            />
            <NightLists dry={dry} onCap={(capNano) => change({ cap: dollarsOf(capNano) })} />
          </>
        ) : (
          <NoDryRun trial={trial} />
        )}
      </div>
      <PlanPanel status={status} form={form} change={change} judged={judged} trial={trial} />
    </main>
  );
}

/** Returns to where the requests for the run were made, or else to the queue. */
function leavePlan(): void {
  const from = useNightOrder.getState().order?.from;
  if (from === undefined) navigate('queue');
  else window.location.hash = from;
}

const NOTHING_SENT: never[] = [];

function whichRun(at: number, off: string | undefined): string {
  if (off === undefined) return t`Dry run of ${formatClock(at)}`;
  return off === WORKING_OUT ? t`Calculating the run` : t`Dry run is outdated`;
}

/** Shown instead of a dry run: it is being computed, or why it failed. */
function NoDryRun({ trial: { fault, error, reload } }: { trial: Trial }) {
  if (fault) return <EmptyState title={t`This run cannot be scheduled`}>{fault.error}</EmptyState>;
  return <Reading of={{ error, reload }} rows={6} />;
}
