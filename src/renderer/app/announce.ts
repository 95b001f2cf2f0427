import { create } from 'zustand';

/** What screen readers hear: *polite* for changes; *assertive* only for doubt and a stop. */
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

/** Says one sentence; of several polite ones in a short time the last is read out. */
export const announce = (sentence: string, level: Level = 'polite'): void =>
  useAnnouncements.setState(({ count }) => ({ [level]: sentence, count: { ...count, [level]: count[level] + 1 } }));
