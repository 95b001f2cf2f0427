import type { Gateway, SendOptions, SubmitOutcome } from '../../src/main/core/gateway/index.ts';
import type { StudioEvent } from '../../src/shared/contract/events.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { acceptance, type EngineHarness, refusal } from './engineHarness.ts';
import { TestClock } from './testPorts.ts';

export const imagine: StudioRequest = { kind: 'imagine', prompt: 'A quay' };

export const noticesOf = (events: StudioEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [`${event.level}: ${event.text}`] : []));

/** A gateway with limits: the test decides each answer when the request arrives, and every request is recorded with its time. */
export function service(says: (kind: 'image' | 'video', n: number) => SubmitOutcome) {
  const clock = new TestClock();
  const sends: { kind: 'image' | 'video'; at: number; key: string }[] = [];
  const submit =
    (kind: 'image' | 'video') =>
    async (_: unknown, options: SendOptions): Promise<SubmitOutcome> => {
      sends.push({ kind, at: clock.now(), key: options.idempotencyKey });
      return says(kind, sends.length);
    };
  const gateway: Partial<Gateway> = { submitImagine: submit('image'), submitVideo: submit('video') };
  return { clock, sends, gateway };
}

export const states = (harness: EngineHarness, ids: string[]) => {
  const counts: Record<string, number> = {};
  for (const id of ids) counts[harness.job(id).state] = (counts[harness.job(id).state] ?? 0) + 1;
  return counts;
};

export const slowDown = (retryAfterMs?: number) =>
  refusal({
    kind: 'rate_limit',
    retryable: true,
    status: 429,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
export const taken = (clock: TestClock, n: number) => acceptance(clock, `task-${n}`);
