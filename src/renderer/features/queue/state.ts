import { create } from 'zustand';
import type { JobState } from '../../../shared/jobs/job.ts';
import type { JobFilter } from '../../../shared/jobs/lists.ts';
import type { JobKind } from '../../../shared/kinds/index.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { type Choice, type ChoiceView, listChoice, NOTHING_CHOSEN } from '../../app/index.ts';

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
interface QueueView extends ChoiceView<JobFilter> {
  tab: QueueTab;
  kind: JobKind | 'any';
  /** Only the open project's jobs. */
  ownProject: boolean;
  text: string;
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
/** Of the list, by clicks and keys. */
export const jobChoice = listChoice<JobFilter>(useQueueView, {
  place: OUTCOME,
  chosen: (count) => t`${counted(count, 'job')} selected`,
  tooMany: t`Select at most 10,000 jobs one by one.`,
});
export const selectJob = jobChoice.select;

/** The panel that links and settled rows send the focus to. */
export const DOUBT_INBOX = 'doubt-inbox';
