import type { AnyRequest } from '../../../../shared/kinds/kind.ts';
import { plural } from '../../../../shared/text/texts.ts';
import type { TaskDriver } from './driver.ts';

/** What all image tasks have in common (spec 4.3): one image per task, and a webhook from the service. */
export const imageTask = {
  protocol: 'task',
  hasWebhook: true,
  poll: (gateway, task, signal) => gateway.poll(task, signal),
  pollEveryMs: (ageMs) => (ageMs < 30_000 ? 3_000 : ageMs < 120_000 ? 5_000 : 10_000),
  extraPollsIfMissing: 0,
  findMissing({ n = 1 }: AnyRequest & { n?: number | undefined }, received: number, filtered: number) {
    const missing = n - Math.max(1, received) - filtered;
    if (missing <= 0) return undefined;
    const differs = [{ what: 'count' as const, ordered: plural(n, 'picture'), made: plural(received, 'picture') }];
    return { differs, counted: { made: { images: n - missing }, most: { images: n } } };
  },
} as const satisfies Partial<TaskDriver>;
