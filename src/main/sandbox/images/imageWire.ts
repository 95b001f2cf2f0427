import type { Gateway } from '../context.ts';
import { mediaUrl } from '../mediaRoute.ts';
import type { ImageTask } from '../state/records.ts';

/** A task as reported by `fetch` and the webhook (spec 4.3, 6). `cdnImage` and `platformImage` exist only after success. */
export function taskBody(gateway: Gateway, task: ImageTask) {
  const record = task.mediaId ? gateway.state.media.get(task.mediaId) : undefined;
  const url = record && task.state === 'done' ? mediaUrl(gateway, record) : undefined;
  return {
    id: task.id,
    jobId: task.id,
    action: task.action,
    mode: task.mode,
    prompt: task.prompt,
    status: statusOf(task, gateway.clock.now()),
    progress: `${progressOf(task, gateway.clock.now())}%`,
    submitTime: task.createdAt,
    startTime: task.createdAt,
    finishTime: task.finishedAt ?? 0,
    failReason:
      task.state === 'canceled' ? 'The task was canceled.' : task.state === 'failed' ? (task.failure ?? '') : '',
    ...(url && {
      cdnImage: url,
      // The copy on the gateway's original platform (spec 2.6): the same picture at another address.
      platformImage: `${url}&from=platform`,
      width: record?.width,
      height: record?.height,
    }),
  };
}

function statusOf(task: ImageTask, now: number): 'SUBMITTED' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' {
  if (task.state === 'done') return 'SUCCESS';
  if (task.state !== 'running') return 'FAILURE';
  return progressOf(task, now) < 10 ? 'SUBMITTED' : 'IN_PROGRESS';
}

function progressOf(task: ImageTask, now: number): number {
  if (task.state === 'done') return 100;
  const latency = Math.max(1, task.dueAt - task.createdAt);
  return Math.max(0, Math.min(95, Math.round((100 * (now - task.createdAt)) / latency)));
}
