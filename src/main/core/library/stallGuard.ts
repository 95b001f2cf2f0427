import type { Clock } from '../ports.ts';

/** A download that receives fewer than `MIN_BYTES_PER_CHECK` bytes in this time is interrupted, so that others get its slot. */
const STALL_CHECK_MS = 120_000;
const MIN_BYTES_PER_CHECK = 64 * 1024;

/** Interrupts a download that has stalled: a link that waits behind it may expire sooner. */
export function createStallGuard(clock: Clock, onFirstBytes: () => void) {
  const stalled = new AbortController();
  let bytes = 0;
  let lastChecked = 0;
  let cancel = (): void => undefined;
  const watch = (): void => {
    cancel = clock.after(STALL_CHECK_MS, () => {
      if (bytes - lastChecked < MIN_BYTES_PER_CHECK) return stalled.abort();
      lastChecked = bytes;
      watch();
    });
  };
  return {
    signal: stalled.signal,
    onBytes(length: number): void {
      const first = bytes === 0;
      bytes = length;
      if (!first) return;
      watch();
      onFirstBytes();
    },
    stop: () => cancel(),
  };
}
