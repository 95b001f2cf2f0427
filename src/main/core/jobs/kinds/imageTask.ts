import type { TaskDriver } from './driver.ts';

/** What all image tasks have in common (spec 4.3): one image per task, and a webhook from the service. */
export const imageTask = {
  protocol: 'task',
  hasWebhook: true,
  poll: (gateway, task, signal) => gateway.poll(task, signal),
  pollEveryMs: (ageMs) => (ageMs < 30_000 ? 3_000 : ageMs < 120_000 ? 5_000 : 10_000),
  extraPollsIfMissing: 0,
  findMissing: () => undefined,
} as const satisfies Partial<TaskDriver>;
