import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import { MAX_RETRY_AFTER_MS } from '../../gateway/index.ts';

/** Retry and poll delays, in milliseconds; `random` is 0 ≤ x < 1. */

/** 1, 2, 4, 8 … s with jitter, or at least the time that the service asked for. */
export function resendDelay(tries: number, retryAfterMs: number | undefined, random: () => number): number {
  const asked = askedWait(retryAfterMs);
  return asked === undefined ? exponentialBackoff(tries, random) : asked + Math.round(random() * 250);
}

/**
 * The delay that a service asked for. Very short ones, such as `Retry-After: 0` or the milliseconds until an unrelated limit resets, are
 * ignored: otherwise the same request would be sent several times a second.
 */
export const askedWait = (retryAfterMs: number | undefined): number | undefined =>
  retryAfterMs === undefined || retryAfterMs < 1_000 ? undefined : Math.min(MAX_RETRY_AFTER_MS, retryAfterMs);

/** No job waits longer than this for its next attempt: one that is due later was put off before the clock was set back. */
export const LONGEST_RESEND_MS = 1.25 * MAX_RETRY_AFTER_MS;

/** Whether a job still has to wait for its next attempt. */
export const isResendLater = (nextAt: number | null, now: number): boolean =>
  nextAt !== null && nextAt > now && nextAt <= now + LONGEST_RESEND_MS;

/** 1, 2, 4, 8 … s, at most five minutes, with jitter of up to a quarter more. */
export function exponentialBackoff(tries: number, random: () => number): number {
  const base = Math.min(MAX_RETRY_AFTER_MS, 1_000 * 2 ** Math.min(Math.max(0, tries - 1), 12));
  return Math.round(base * (1 + random() * 0.25));
}

/** ± 20 %, so that tasks accepted together are not polled together. */
export const withJitter = (ms: number, random: () => number): number => Math.round(ms * (0.8 + 0.4 * random()));

/** The first poll is early: short tasks are done soon, and a poll costs nothing. */
export const FIRST_POLL_MS = 1_000;

/** The time between two polls of a task. The sandbox is on this computer and polled more often, so that its progress moves. */
export const pollEveryMs = ({ profileId, driver, remote }: PolledTask, now: number): number =>
  isPlayMoney(profileId) ? FIRST_POLL_MS : driver.pollEveryMs(now - remote.acceptedAt);

interface PolledTask {
  profileId: string;
  driver: { pollEveryMs(ageMs: number): number };
  remote: { acceptedAt: number };
}

/** After this time without an answer a task counts as unconfirmed. */
export const GIVE_UP_MS = 65 * 60_000;

/** A service may need a moment before it knows a task id that it has returned. */
export const GRACE_MS = 60_000;
