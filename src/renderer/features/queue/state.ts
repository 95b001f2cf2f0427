import { create } from 'zustand';
import type { JobState } from '../../../shared/jobs/job.ts';
import type { JobFilter } from '../../../shared/jobs/lists.ts';
import type { JobKind } from '../../../shared/kinds/index.ts';
import { type Choice, NOTHING_CHOSEN, only, toggled } from '../../app/index.ts';

export const QUEUE_TABS = ['all', 'open', 'done', 'failed'] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];

/** Where it is said what came of a click on the list and its bars. */
export const OUTCOME = 'queue';

export const RUNNING_STATES: JobState[] = ['sending', 'running', 'fetching'];
export const WAITING_STATES: JobState[] = ['queued', 'blocked'];
export const DONE_STATES: JobState[] = ['succeeded', 'canceled'];

/** Which jobs of the queue are chosen. */
export type JobChoice = Choice<JobFilter>;

/** The view of the queue: filters and selection, kept while other pages are open. */
interface QueueView {
  tab: QueueTab;
  kind: JobKind | 'any';
  /** Only the open project's jobs. */
  ownProject: boolean;
  text: string;
  /** The job that keys act on. */
  selectedId?: string | undefined;
  /** It and those chosen with it. */
  choice: JobChoice;
  /** Where a range begins. */
  anchorId?: string;
  /** The waiting job in front of which what is dragged would go. */
  dropBefore?: string | undefined;
}

export const useQueueView = create<QueueView>()(() => ({
  tab: 'all',
  kind: 'any',
  ownProject: false,
  text: '',
  choice: NOTHING_CHOSEN,
}));

export const setQueueView = useQueueView.setState;
export const selectJob = (selectedId: string | undefined): void =>
  useQueueView.setState(
    selectedId === undefined
      ? { selectedId: undefined, choice: NOTHING_CHOSEN }
      : { selectedId, anchorId: selectedId, choice: only(selectedId) },
  );

/** The keys act on this job, and what is chosen stays. */
export const goToJob = (selectedId: string): void => useQueueView.setState({ selectedId });

export const toggleJob = (id: string): void =>
  useQueueView.setState(({ choice }) => ({ selectedId: id, anchorId: id, choice: toggled(choice, id) }));

/** The panel that links and settled rows send the focus to. */
export const DOUBT_INBOX = 'doubt-inbox';
