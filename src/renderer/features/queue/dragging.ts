import type { DragEvent } from 'react';
import type { Job } from '../../../shared/jobs/job.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, chosenCount, chosenInput, isChosen, only, showRefusal } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { plural } from '../../ui/index.ts';
import styles from './queue.module.css';
import type { Group } from './rows.ts';
import { type JobChoice, setQueueView, useQueueView, WAITING_STATES } from './state.ts';

/** One waiting job, or all jobs selected with it, are dragged to another place of the line. A bar shows where they would go. */

const DRAG_TYPE = 'application/x-dailies-job';

const isDrag = (event: DragEvent): boolean => event.dataTransfer.types.includes(DRAG_TYPE);

/** The jobs that are dragged together. */
function draggedWith(id: string): JobChoice {
  const { choice } = useQueueView.getState();
  return isChosen(choice, id) ? choice : only(id);
}

export function dragProps(job: Job) {
  if (!WAITING_STATES.includes(job.state)) return {};
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(DRAG_TYPE, job.id);
      event.dataTransfer.effectAllowed = 'move';
      const count = chosenCount(draggedWith(job.id));
      if (count > 1) showCount(event, count);
    },
    onDragOver: (event: DragEvent) => {
      if (!isDrag(event)) return;
      event.preventDefault();
      event.stopPropagation();
      if (useQueueView.getState().dropBefore !== job.id) setQueueView({ dropBefore: job.id });
    },
    onDragEnd: () => setQueueView({ dropBefore: undefined }),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      event.stopPropagation();
      const id = event.dataTransfer.getData(DRAG_TYPE);
      setQueueView({ dropBefore: undefined });
      const dragged = draggedWith(id);
      if (id !== '' && !isChosen(dragged, job.id)) void moveChosen(dragged, { before: job.id });
    },
  };
}

/** Drops after the last job. */
export function dropAtEnd(groups: readonly Group[]) {
  if (!groups.some(({ isLine }) => isLine)) return {};
  return {
    onDragOver: (event: DragEvent) => {
      if (isDrag(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const id = event.dataTransfer.getData(DRAG_TYPE);
      event.preventDefault();
      setQueueView({ dropBefore: undefined });
      if (id !== '') void moveChosen(draggedWith(id), 'last');
    },
  };
}

/** Shows the number of jobs at the pointer instead of the one row that was grabbed. */
function showCount(event: DragEvent, count: number): void {
  const mark = document.createElement('div');
  mark.className = `${styles.dragCount}`;
  mark.textContent = plural(count, 'job');
  document.body.append(mark);
  event.dataTransfer.setDragImage(mark, -8, -8);
  setTimeout(() => mark.remove());
}

/** Moves the waiting jobs of the selection, and reports where they went. */
export async function moveChosen(choice: JobChoice, to: 'first' | 'last' | { before: string }): Promise<void> {
  const answer = await call('jobs.moveMany', { ...chosenInput(choice), to });
  if (!answer.ok) return showRefusal(answer.error);
  const { moved, place } = answer.data;
  announce(
    moved === 1
      ? t`Moved to place ${place}`
      : t`${counted(moved, 'job')} moved to places ${place} to ${place + moved - 1}`,
  );
}
