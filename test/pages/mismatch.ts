import type { Job } from '../../src/shared/job.ts';
import type { MismatchEvidence, PriceMismatch } from '../../src/shared/ledger.ts';
import { NOW } from './data.ts';

const DAY = 86_400_000;

/** A month of orders at $0.40, then the one that states $0.80; nine wait, of which seven fit under the caps. */
export function evidence(mismatch: PriceMismatch, jobs: readonly Job[]): MismatchEvidence {
  const waiting = jobs.filter(({ kind, state }) => kind === 'video' && (state === 'blocked' || state === 'queued'));
  const made = Array.from({ length: 43 }, (_, n) => ({
    jobId: `made_${n}`,
    at: NOW - (43 - n) * 0.6 * DAY,
    nano: mismatch.expectedNano,
    expectedNano: mismatch.expectedNano,
    isStated: n > 30,
  }));
  return {
    mismatch,
    made: [...made, { ...mismatch, nano: mismatch.statedNano, isStated: true }].map(
      ({ jobId, at, nano, expectedNano, isStated }) => ({ jobId, at, nano, expectedNano, isStated }),
    ),
    waiting: Array.from({ length: 9 }, (_, n) => waiting[n % waiting.length] ?? jobs[0])
      .flatMap((job) => job ?? [])
      .map((job, n) => ({
        job: { ...job, id: `waits_${n}`, state: 'blocked' as const, reason: 'price' as const },
        nowNano: mismatch.expectedNano,
        thenNano: mismatch.statedNano,
      })),
    leftNano: 6_000_000_000,
  };
}
