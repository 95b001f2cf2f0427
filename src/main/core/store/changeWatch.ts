import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Whether a call has changed something: a full disk in the middle of one that writes in several steps leaves the first of them done, and the
 * answer must not say otherwise.
 */
const calls = new AsyncLocalStorage<{ hasChanged: boolean } | undefined>();

/** Runs `work`; `ended` learns whether it had changed something when it threw. */
export async function watchingChanges<T>(work: () => Promise<T>, ended: (error: unknown, hasChanged: boolean) => T) {
  const call = { hasChanged: false };
  try {
    return await calls.run(call, work);
  } catch (error) {
    return ended(error, call.hasChanged);
  }
}

/** What is written now stays, whatever follows. */
export function noteChange(): void {
  const call = calls.getStore();
  if (call) call.hasChanged = true;
}

/** What was written. */
export function noted<T>(value: T): T {
  noteChange();
  return value;
}

/** For what is written ahead and counts for nothing before it is whole, and for what a call puts in order by the way. */
export const unwatched = <T>(work: () => T): T => calls.run(undefined, work);
