import { create } from 'zustand';
import type { JobState } from '../../../shared/job.ts';
import type { JobKind } from '../../../shared/kinds/index.ts';

export const QUEUE_TABS = ['all', 'open', 'done', 'failed'] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];

export const RUNNING_STATES: JobState[] = ['sending', 'running', 'fetching'];
export const WAITING_STATES: JobState[] = ['queued', 'blocked'];
export const DONE_STATES: JobState[] = ['succeeded', 'canceled'];

/** The view of the queue: filters and selection, kept while other pages are open. */
interface QueueView {
  tab: QueueTab;
  kind: JobKind | 'any';
  /** Only the open project's jobs. */
  ownProject: boolean;
  text: string;
  selectedId?: string;
}

export const useQueueView = create<QueueView>()(() => ({ tab: 'all', kind: 'any', ownProject: false, text: '' }));

export const setQueueView = useQueueView.setState;
export const selectJob = (selectedId: string | undefined): void => useQueueView.setState({ selectedId });

/** The panel that links and settled rows send the focus to. */
export const DOUBT_INBOX = 'doubt-inbox';
