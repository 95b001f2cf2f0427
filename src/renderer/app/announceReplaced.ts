import { t } from '../../shared/texts.ts';
import { announce } from './announce.ts';
import { showOutcome } from './outcome.tsx';

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
