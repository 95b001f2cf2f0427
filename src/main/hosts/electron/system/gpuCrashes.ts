/** When the GPU process crashes repeatedly, Chromium ends the program: the next start then draws without the GPU. */

const TOO_MANY = 3;
const WITHIN_MS = 10 * 60_000;
/** Afterwards the GPU is tried again: its driver may have been fixed. */
const WITHOUT_GPU_MS = 24 * 3_600_000;
const MOST_KEPT = 20;

/** Whether to draw without the GPU: it crashed three times within ten minutes, during the last day. */
export function drawsWithoutGpu(crashes: readonly number[], now: number): boolean {
  const recent = crashes.filter((at) => at > now - WITHOUT_GPU_MS && at <= now).sort((a, b) => a - b);
  return recent.some((at, index) => {
    const third = recent[index + TOO_MANY - 1];
    return third !== undefined && third - at <= WITHIN_MS;
  });
}

/** The list with one more crash, limited in length. */
export const withCrash = (crashes: readonly number[], now: number): number[] => [...crashes, now].slice(-MOST_KEPT);

/** The list in a file; empty for anything else. */
export function crashesIn(text: string | undefined): number[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((at): at is number => Number.isFinite(at)).slice(-MOST_KEPT) : [];
  } catch {
    return [];
  }
}
