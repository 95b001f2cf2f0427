import { create } from 'zustand';

/** What screen readers announce: *polite* for changes; *assertive* only for unconfirmed jobs and stops. */
interface Announcements {
  polite: string;
  assertive: string;
  /** The number of announcements, so that a repeated sentence is announced again. */
  count: Readonly<Record<Level, number>>;
}

type Level = 'polite' | 'assertive';

export const useAnnouncements = create<Announcements>()(() => ({
  polite: '',
  assertive: '',
  count: { polite: 0, assertive: 0 },
}));

/** Announces a sentence. Of several polite ones in a short time only the last is read out. */
export const announce = (sentence: string, level: Level = 'polite'): void =>
  useAnnouncements.setState(({ count }) => ({ [level]: sentence, count: { ...count, [level]: count[level] + 1 } }));
