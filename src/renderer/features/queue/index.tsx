import './queue.css';
import './doubts.css';
import { useEffect, useMemo } from 'react';
import type { Job } from '../../../shared/job.ts';
import {
  type Command,
  type Pages,
  useCall,
  useCommands,
  useEntities,
  useJobPages,
  useNow,
  useProjectId,
  useRoute,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, CallError, EmptyState, LoadingBars } from '../../ui/index.ts';
import { DoubtInbox } from './DoubtInbox.tsx';
import { Tonight } from './night/Tonight.tsx';
import { QueueBar } from './QueueBar.tsx';
import { QueueList } from './QueueList.tsx';
import { Report } from './Report.tsx';
import { rowsOf } from './rows.ts';
import { SelectionBar } from './SelectionBar.tsx';
import {
  DONE_STATES,
  DOUBT_INBOX,
  OPEN_STATES,
  selectJob,
  setQueueView,
  useQueueView,
  WAITING_STATES,
} from './state.ts';
import { Troubles } from './Troubles.tsx';
import { TakeNamesOfProject } from './titles.tsx';

const COMMANDS: readonly Command[] = [
  { id: 'queue.pause', label: 'Pause all jobs', action: 'queue.pause', run: () => void call('queue.pause') },
  { id: 'queue.resume', label: 'Resume all jobs', action: 'queue.pause', run: () => void call('queue.resume') },
];

/** Last night, what runs, what waits and why; the doubt inbox and tonight at the side. */
export function QueuePage() {
  useCommands('queue', COMMANDS);
  useRouteSelection();
  return (
    <main className="page queue">
      <h1 className="vh">Queue</h1>
      <TakeNamesOfProject>
        <section className="q-main" aria-label="Jobs" data-panel tabIndex={-1}>
          <Report />
          <Troubles />
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

function useJobsOf({ ids }: Pages): Job[] {
  const jobs = useEntities((state) => state.jobs);
  return useMemo(() => ids.flatMap((id) => jobs.get(id) ?? []), [ids, jobs]);
}

function Jobs() {
  const tab = useQueueView((state) => state.tab);
  const selectedId = useQueueView((state) => state.selectedId);
  const filter = useFilter();
  const openPages = useJobPages({ ...filter, states: OPEN_STATES });
  const endedPages = useJobPages({
    ...filter,
    states: tab === 'failed' ? ['failed'] : tab === 'done' ? DONE_STATES : [...DONE_STATES, 'failed'],
  });
  const failed = useCall('jobs.list', { ...filter, states: ['failed'], limit: 1 }, { on: ['job.changed'] });
  const done = useCall('jobs.list', { ...filter, states: DONE_STATES, limit: 1 }, { on: ['job.changed'] });
  const open = useJobsOf(openPages);
  const ended = useJobsOf(endedPages);
  const now = useNow(60_000);
  const rows = useMemo(
    () => rowsOf({ tab, open, openTotal: openPages.total, ended, endedTotal: endedPages.total, now }),
    [tab, open, openPages.total, ended, endedPages.total, now],
  );
  const counts = {
    open: openPages.loading || openPages.error ? undefined : openPages.total,
    failed: failed.data?.total,
    done: done.data?.total,
    all: failed.data && done.data ? openPages.total + failed.data.total + done.data.total : undefined,
  };
  const waiting = open.filter(({ state }) => WAITING_STATES.includes(state)).sort((a, b) => a.position - b.position);
  const selected = [...open, ...ended].find(({ id }) => id === selectedId);
  const error = openPages.error ?? endedPages.error;
  const loading = openPages.loading || endedPages.loading;
  return (
    <>
      <QueueBar counts={counts} />
      {error && rows.length === 0 ? (
        <div className="pad">
          <CallError
            error={error}
            onRetry={() => {
              openPages.reload();
              endedPages.reload();
            }}
          />
        </div>
      ) : loading ? (
        <div className="pad">
          <LoadingBars rows={8} label="Reading the queue" />
        </div>
      ) : rows.length === 0 ? (
        <NoJobs filtered={Object.keys(filter).length > 0 || tab !== 'all'} />
      ) : (
        <QueueList
          rows={rows}
          onMore={() => {
            openPages.more();
            endedPages.more();
          }}
        />
      )}
      {selected && <SelectionBar job={selected} waiting={waiting} />}
    </>
  );
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
