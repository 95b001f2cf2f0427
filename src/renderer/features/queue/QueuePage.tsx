import './queue.css';
import './doubts.css';
import './prices/prices.css';
import { useEffect, useMemo } from 'react';
import { formatNano } from '../../../shared/money.ts';
import { oneSide } from '../../../shared/oneSide.ts';
import {
  type Listing,
  PAGE_LINES,
  useCall,
  useEntities,
  useJob,
  useJobList,
  useProjectId,
  useRoute,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, CallError, EmptyState, LoadingBars } from '../../ui/index.ts';
import { ActiveIncidents } from './ActiveIncidents.tsx';
import { DoubtInbox } from './DoubtInbox.tsx';
import { Tonight } from './night/Tonight.tsx';
import { PriceStopPage } from './prices/PriceStopPage.tsx';
import { QueueBar } from './QueueBar.tsx';
import { QueueList } from './QueueList.tsx';
import { Report } from './Report.tsx';
import { type Group, rowCount } from './rows.ts';
import { SelectionBar, type WaitingLine } from './SelectionBar.tsx';
import {
  DONE_STATES,
  DOUBT_INBOX,
  type QueueTab,
  RUNNING_STATES,
  selectJob,
  setQueueView,
  useQueueView,
  WAITING_STATES,
} from './state.ts';
import { TakeNamesOfProject } from './takeNames.tsx';
import { useIsPlay, waitingMoney } from './waitingMoney.ts';

/** Last night, what runs, what waits and why; the doubt inbox and tonight at the side. */
export function QueuePage() {
  useRouteSelection();
  const mismatch = useRoute().params.get('mismatch');
  if (mismatch !== null) {
    return (
      <TakeNamesOfProject>
        <PriceStopPage key={mismatch} id={mismatch} />
      </TakeNamesOfProject>
    );
  }
  return (
    <main className="page queue">
      <h1 className="vh">Queue</h1>
      <TakeNamesOfProject>
        <section className="q-main" aria-label="Jobs" data-panel tabIndex={-1}>
          <Report />
          <ActiveIncidents />
          <Jobs />
        </section>
        <div className="q-side">
          <DoubtInbox />
          <Tonight />
        </div>
      </TakeNamesOfProject>
    </main>
  );
}

/** `#/queue?job=ID` selects that job; `#/queue?filter=doubt` goes to the doubt inbox. */
function useRouteSelection(): void {
  const { params } = useRoute();
  const job = params.get('job');
  const toDoubt = params.get('filter') === 'doubt';
  useEffect(() => {
    if (job) selectJob(job);
  }, [job]);
  useEffect(() => {
    if (toDoubt) document.getElementById(DOUBT_INBOX)?.focus();
  }, [toDoubt]);
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

/** What runs, what waits in its line, and what has ended, each read where it is looked at. */
function useGroups(tab: QueueTab, filter: Filter) {
  const running = useJobList({ ...filter, order: 'queue', states: RUNNING_STATES });
  const waiting = useJobList({ ...filter, order: 'queue', states: WAITING_STATES });
  const ended = useJobList({
    ...filter,
    states: tab === 'failed' ? ['failed'] : tab === 'done' ? DONE_STATES : [...DONE_STATES, 'failed'],
  });
  const runningNano = useReserved(running);
  const isPlay = useIsPlay();
  const isWhole = Object.keys(filter).length === 0;
  const groups: Group[] = [];
  if (tab === 'all' || tab === 'open') {
    groups.push({ title: 'Running', list: running, reserved: runningNano ? formatNano(runningNano) : undefined });
    // The sum is that of the whole line; beside a part of it, it would be taken for that of the part.
    const reserved = isWhole ? waitingMoney(waiting.whole, isPlay) : undefined;
    groups.push({ title: 'Waiting', list: waiting, reserved, isLine: true });
  }
  if (tab !== 'open') groups.push({ title: tab === 'failed' ? 'Failed' : 'Ended', list: ended });
  return { groups, running, waiting, ended };
}

/** What is reserved for them, of one side, where all of them have been read: few run at once. */
function useReserved({ at, total, state }: Listing<unknown>): number | undefined {
  const jobs = useEntities((entities) => entities.jobs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state is another one whenever the lines are.
  return useMemo(() => {
    const known = Array.from({ length: Math.min(total, PAGE_LINES) }, (_, n) => jobs.get(at(n)?.id ?? '') ?? []).flat();
    return known.length < total ? undefined : oneSide(known).reduce((sum, { money }) => sum + money.reservedNano, 0);
  }, [jobs, state, total]);
}

function Jobs() {
  const tab = useQueueView((state) => state.tab);
  const selected = useJob(useQueueView((state) => state.selectedId));
  const filter = useFilter();
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
  return (
    <>
      <QueueBar counts={counts} />
      {error && isEmpty ? (
        <div className="pad">
          <CallError
            error={error}
            onRetry={() => {
              for (const list of lists) list.reload();
            }}
          />
        </div>
      ) : lists.some(({ loading }) => loading) ? (
        <div className="pad">
          <LoadingBars rows={8} label="Reading the queue" />
        </div>
      ) : isEmpty ? (
        <NoJobs filtered={Object.keys(filter).length > 0 || tab !== 'all'} />
      ) : (
        <QueueList groups={groups} />
      )}
      {selected && selected.state !== 'uncertain' && <SelectionBar job={selected} line={lineOf(waiting, filter)} />}
    </>
  );
}

/** The line of those that wait; what of it has not been read is asked for. */
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
        title="No such jobs"
        action={
          <Button onClick={() => setQueueView({ tab: 'all', kind: 'any', ownProject: false, text: '' })}>
            Show all
          </Button>
        }
      >
        Nothing in the queue fits these filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="The queue is empty">
      Make a take on the Board or an image on Images. Each one stands here with its price before it is sent, and while
      it runs.
    </EmptyState>
  );
}
