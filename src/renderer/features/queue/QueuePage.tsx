import { X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { JobState } from '../../../shared/jobs/job.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  chosenCount,
  dismissIncident,
  focusOnArrival,
  type Incident,
  type Listing,
  lazyPage,
  OutcomeLine,
  onlyChosen,
  PAGE_LINES,
  useActiveIncidents,
  useCall,
  useEntities,
  useForgottenChoice,
  useFreshTakes,
  useIsPlay,
  useJob,
  useJobList,
  usePlace,
  useProjectId,
  useRoute,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { importHandlers } from '../../tableImport/index.ts';
import { Button, EmptyState, FailGlyph, formatClock, Icon, IconButton, Reading } from '../../ui/index.ts';
import { ApprovalRequests } from './ApprovalRequests.tsx';
import { BulkBar } from './BulkBar.tsx';
import { jobs } from './batch/jobs.ts';
import { DoubtInbox } from './DoubtInbox.tsx';
import type { WaitingLine } from './MoveButtons.tsx';
import { Tonight } from './night/Tonight.tsx';
import { NightOfList } from './nightOfList.tsx';
import { RisenPrices } from './prices/PriceStops.tsx';
import { LaneBar, QueueBar } from './QueueBar.tsx';
import { QueueList } from './QueueList.tsx';
import styles from './queue.module.css';
import { Report } from './Report.tsx';
import { type Group, rowCount } from './rows.ts';
import { SelectionBar } from './SelectionBar.tsx';
import {
  DONE_STATES,
  DOUBT_INBOX,
  OUTCOME,
  type QueueTab,
  RUNNING_STATES,
  selectJob,
  setQueueView,
  useQueueView,
  WAITING_STATES,
} from './state.ts';
import { waitingMoney } from './waitingMoney.ts';

const HANDLERS = importHandlers(jobs);

const BatchPage = lazyPage(async () => ({ default: (await import('./batch/BatchPage.tsx')).BatchPage }));
const NightPage = lazyPage(async () => ({ default: (await import('./night/NightPage.tsx')).NightPage }));

/** The last run, running jobs, waiting jobs and why they wait; unconfirmed jobs and tonight at the side. */
export function QueuePage() {
  useRouteSelection();
  useFreshTakes();
  const { part, params } = useRoute();
  if (part === 'night' || params.get('plan') === 'night') return <NightPage />;
  return params.has('import') ? <BatchPage /> : <WholeQueue />;
}

function WholeQueue() {
  usePlace('queue');
  return (
    <main data-page="queue" className={`page ${styles.queue}`} {...HANDLERS}>
      <h1 className="vh">{t`Queue`}</h1>
      <section className="col" aria-label={t`Jobs`} data-panel tabIndex={-1}>
        <Report />
        <ActiveIncidents />
        <RisenPrices />
        <NightOfList>
          <Jobs />
        </NightOfList>
      </section>
      <div className={styles.qSide}>
        <ApprovalRequests />
        <DoubtInbox />
        <Tonight />
      </div>
    </main>
  );
}

/** `#/queue?job=ID` selects that job; `#/queue?filter=doubt` goes to the unconfirmed jobs. */
function useRouteSelection(): void {
  const { params } = useRoute();
  useEffect(() => {
    const job = params.get('job');
    if (job) selectJob(job);
    if (params.get('filter') === 'doubt') focusOnArrival(document.getElementById(DOUBT_INBOX));
  }, [params]);
}

function useFilter() {
  const { kind, ownProject, text } = useQueueView();
  const projectId = useProjectId();
  return useMemo(
    () => ({
      ...(kind === 'any' ? {} : { kinds: [kind] }),
      ...(ownProject && projectId ? { projectId } : {}),
      ...(text.trim() === '' ? {} : { text: text.trim() }),
    }),
    [kind, ownProject, projectId, text],
  );
}

type Filter = ReturnType<typeof useFilter>;

/** Running, waiting and ended jobs, each read as it is shown. */
function useGroups(tab: QueueTab, filter: Filter) {
  const runs = { ...filter, states: RUNNING_STATES };
  const waits = { ...filter, states: WAITING_STATES };
  const endStates: JobState[] =
    tab === 'failed' ? ['failed'] : tab === 'done' ? DONE_STATES : [...DONE_STATES, 'failed'];
  const ends = { ...filter, states: endStates };
  const running = useJobList({ ...runs, order: 'queue' });
  const waiting = useJobList({ ...waits, order: 'queue' });
  const ended = useJobList(ends);
  const isPlay = useIsPlay();
  const underWay = useReserved(running, isPlay);
  // The total is that of the whole line; beside a filtered part it would be misread.
  const reserved = Object.keys(filter).length === 0 ? waitingMoney(waiting.whole, isPlay) : undefined;
  const open: Group[] = [
    { title: t`Running`, list: running, filter: runs, order: 'queue', reserved: underWay },
    { title: t`Waiting`, list: waiting, filter: waits, order: 'queue', reserved, isLine: true },
  ];
  const over: Group = { title: tab === 'failed' ? t`Failed` : t`Ended`, list: ended, filter: ends };
  const groups = tab === 'all' ? [...open, over] : tab === 'open' ? open : [over];
  return { groups, running, waiting, ended };
}

/** The amount reserved for running jobs, real and test money named separately, once all have been read; few run at once. */
function useReserved({ at, total }: Listing<unknown>, isPlay: boolean): string | undefined {
  // Selects the text and not the jobs, so that changes of other jobs draw nothing again.
  return useEntities(({ jobs }) => {
    const known = Array.from({ length: Math.min(total, PAGE_LINES) }, (_, n) => jobs.get(at(n)?.id ?? '') ?? []).flat();
    if (known.length < total) return undefined;
    const sideOf = (play: boolean) => {
      const side = known.filter(({ profileId }) => isPlayMoney(profileId) === play);
      return {
        reservedNano: side.reduce((sum, { money }) => sum + money.reservedNano, 0),
        unpriced: side.filter(({ money }) => money.unpriced).length,
      };
    };
    return waitingMoney({ count: total, ...sideOf(isPlay), elsewhere: sideOf(!isPlay) }, isPlay);
  });
}

function Jobs() {
  const tab = useQueueView((state) => state.tab);
  const filter = useFilter();
  useForgottenChoice([tab, filter], chooseOne);
  const { groups, running, waiting, ended } = useGroups(tab, filter);
  const failed = useCall('jobs.list', { ...filter, states: ['failed'], limit: 1 }, { on: ['job.changed'] });
  const done = useCall('jobs.list', { ...filter, states: DONE_STATES, limit: 1 }, { on: ['job.changed'] });
  const lists = [running, waiting, ended];
  const openTotal = running.total + waiting.total;
  const counts = {
    open: [running, waiting].some(({ loading, error }) => loading || error) ? undefined : openTotal,
    failed: failed.data?.total,
    done: done.data?.total,
    all: failed.data && done.data ? openTotal + failed.data.total + done.data.total : undefined,
  };
  const error = lists.find((list) => list.error)?.error;
  const isEmpty = rowCount(groups) === 0;
  const reload = () => {
    for (const list of lists) list.reload();
  };
  return (
    <>
      <QueueBar counts={counts} filter={filter} />
      <LaneBar />
      <OutcomeLine place={OUTCOME} />
      {lists.some(({ loading }) => loading) || (error && isEmpty) ? (
        <Reading of={{ error: isEmpty ? error : undefined, reload }} rows={8} media />
      ) : isEmpty ? (
        <NoJobs filtered={Object.keys(filter).length > 0 || tab !== 'all'} />
      ) : (
        <QueueList groups={groups} />
      )}
      <ChosenBar line={lineOf(waiting, filter)} />
    </>
  );
}

/** Actions on the selected jobs only: the job that the keys moved to may not be selected. */
function ChosenBar({ line }: { line: WaitingLine }) {
  const one = useJob(useQueueView(({ choice }) => onlyChosen(choice)));
  const isMany = useQueueView(({ choice }) => chosenCount(choice) > 0 && onlyChosen(choice) === undefined);
  if (isMany) return <BulkBar line={line} />;
  return one && one.state !== 'uncertain' ? <SelectionBar key={one.id} job={one} line={line} /> : null;
}

/** In another view only the active job stays selected. */
const chooseOne = () => selectJob(useQueueView.getState().selectedId);

/** The line of waiting jobs; unread parts are requested. */
function lineOf(waiting: Listing<unknown>, filter: Filter): WaitingLine {
  return {
    total: waiting.total,
    indexOf: waiting.indexOf,
    idAt: async (index) => {
      const known = waiting.at(index)?.id;
      if (known !== undefined || index < 0 || index >= waiting.total) return known;
      const asked = { ...filter, order: 'queue' as const, states: WAITING_STATES, offset: index, limit: 1 };
      const answer = await call('jobs.list', asked);
      return answer.ok ? answer.data.jobs[0]?.id : undefined;
    },
  };
}

function NoJobs({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        title={t`No matching jobs`}
        action={
          <Button onClick={() => setQueueView({ tab: 'all', kind: 'any', ownProject: false, text: '' })}>
            {t`Show all`}
          </Button>
        }
      >
        {t`No job fits these filters.`}
      </EmptyState>
    );
  }
  return <EmptyState title={t`The queue is empty`}>{t`Make a take or an image first.`}</EmptyState>;
}

/** Problems that toasts have reported, a line each, newest first. A line disappears when its problem is over. */
function ActiveIncidents() {
  const incidents = useActiveIncidents();
  if (incidents.length === 0) return null;
  return (
    <ul className={styles.incidents} aria-label={t`Problems`}>
      {incidents.map((incident) => (
        <li key={`${incident.at} ${incident.text}`} className="row line-item">
          <span className="mono t3">{formatClock(incident.at)}</span>
          <span className="st failed">
            <FailGlyph />
          </span>
          <span className="grow">{incident.text}</span>
          <IconButton label={t`Dismiss: ${incident.text}`} onClick={() => dismiss(incident)}>
            <Icon of={X} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

/** The button disappears with its line, so the focus moves to the panel. */
function dismiss(incident: Incident): void {
  document.querySelector<HTMLElement>(`.${styles.queue} > .col`)?.focus();
  dismissIncident(incident);
}
