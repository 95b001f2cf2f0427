import { create } from 'zustand';

/** What screen readers hear: *polite* for changes, at most one sentence in 2 s; *assertive* only for doubt and a stop. */
interface Announcements {
  polite: string;
  assertive: string;
  /** How many sentences were said: one that is said again is another one. */
  count: Readonly<Record<Level, number>>;
}

type Level = 'polite' | 'assertive';

export const useAnnouncements = create<Announcements>()(() => ({
  polite: '',
  assertive: '',
  count: { polite: 0, assertive: 0 },
}));

const tell = (level: Level, sentence: string): void =>
  useAnnouncements.setState(({ count }) => ({ [level]: sentence, count: { ...count, [level]: count[level] + 1 } }));

const QUIET_MS = 2_000;
let lastAt = Number.NEGATIVE_INFINITY;
let waiting: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says one sentence; of several within 2 s the last is said. */
export function announce(sentence: string, level: Level = 'polite'): void {
  if (level === 'assertive') return tell(level, sentence);
  waiting = sentence;
  if (timer !== undefined) return;
  timer = setTimeout(say, Math.max(0, lastAt + QUIET_MS - performance.now()));
}

function say(): void {
  timer = undefined;
  lastAt = performance.now();
  if (waiting !== undefined) tell('polite', waiting);
  waiting = undefined;
}
