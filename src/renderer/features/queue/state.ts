import { create } from 'zustand';
import type { JobState } from '../../../shared/jobs/job.ts';
import type { JobFilter } from '../../../shared/jobs/lists.ts';
import type { JobKind } from '../../../shared/kinds/index.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { type Choice, type ChoiceView, listChoice, NOTHING_CHOSEN } from '../../app/index.ts';

export const QUEUE_TABS = ['all', 'open', 'done', 'failed'] as const;
export type QueueTab = (typeof QUEUE_TABS)[number];

/** Where the outcome of an action in the list or its bars is announced. */
export const OUTCOME = 'queue';

export const RUNNING_STATES: JobState[] = ['sending', 'running', 'fetching'];
export const WAITING_STATES: JobState[] = ['queued', 'blocked'];
export const DONE_STATES: JobState[] = ['succeeded', 'canceled'];

/** The selected jobs of the queue. */
export type JobChoice = Choice<JobFilter>;

/** The state of the queue page: filters and selection, kept while other pages are open. */
interface QueueView extends ChoiceView<JobFilter> {
  tab: QueueTab;
  kind: JobKind | 'any';
  /** Shows only the open project's jobs. */
  ownProject: boolean;
  text: string;
  /** The waiting job before which the dragged jobs would be inserted. */
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
/** Selection in the list by clicks and keys. */
export const jobChoice = listChoice<JobFilter>(useQueueView, {
  place: OUTCOME,
  chosen: (count) => t`${counted(count, 'job')} selected`,
  tooMany: t`Select at most 10,000 jobs one by one.`,
});
export const selectJob = jobChoice.select;

/** The panel that gets the focus from links and from settled rows. */
export const DOUBT_INBOX = 'doubt-inbox';
