import { create } from 'zustand';
import { t } from '../../shared/texts.ts';
import { showOutcome } from './outcome.tsx';

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

/**
 * Says what was put into a box (`done`, a sentence without its end). Where that took the place of something begun, `undo` gives it back:
 * it is offered at the box (`place`). Answers what takes the offer away.
 */
export function announceReplaced(place: string, done: string, undo: (() => void) | undefined): () => void {
  if (undo !== undefined)
    return showOutcome(place, { text: t`${done}, in the place of what you had begun.`, undo, isOpening: true });
  announce(done);
  return () => undefined;
}
