import { create } from 'zustand';

/** What screen readers hear: *polite* for changes, at most one sentence in 2 s; *assertive* only for doubt and a stop. */
interface Announcements {
  polite: string;
  assertive: string;
}

export const useAnnouncements = create<Announcements>()(() => ({ polite: '', assertive: '' }));

const QUIET_MS = 2_000;
let lastAt = Number.NEGATIVE_INFINITY;
let waiting: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says one sentence; of several within 2 s the last is said. */
export function announce(sentence: string, level: 'polite' | 'assertive' = 'polite'): void {
  if (level === 'assertive') {
    useAnnouncements.setState({ assertive: sentence });
    return;
  }
  waiting = sentence;
  if (timer !== undefined) return;
  timer = setTimeout(say, Math.max(0, lastAt + QUIET_MS - performance.now()));
}

function say(): void {
  timer = undefined;
  lastAt = performance.now();
  if (waiting !== undefined) useAnnouncements.setState({ polite: waiting });
  waiting = undefined;
}
