import { t } from '../../shared/texts.ts';
import { toast } from '../ui/index.ts';
import { announce } from './announce.ts';

/**
 * Says what was put into a box (`done`, a sentence without its end). Where that took the place of something begun, `undo` gives it back:
 * it is offered.
 */
export function announceReplaced(done: string, undo: (() => void) | undefined): void {
  if (undo === undefined) return announce(done);
  const text = t`${done}, in the place of what you had begun.`;
  toast({ text, action: { label: t`Undo`, onAction: undo }, isOtherOffer: true });
}
