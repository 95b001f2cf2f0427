import type { StudioError } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { toast } from '../ui/index.ts';

/**
 * Where only the answer was lost, it may have been done. What ends in an exception says so itself. `undone` is the sentence of what was
 * not done: only a refusal says that.
 */
export function refusalOf({ code, message }: StudioError, undone?: string): string {
  if (code === 'unreachable') return t`${message} The change may have been made. Check before you repeat it.`;
  return undone === undefined ? message : `${message} ${undone}`;
}

/**
 * Shows why a command did nothing that has no place on the page by then: one by a key, from a menu, by a drag. Where its button still
 * stands, `useAction` says it there.
 */
export const showRefusal = (error: StudioError): void => void toast({ kind: 'fail', text: refusalOf(error) });
