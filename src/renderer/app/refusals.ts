import type { StudioError } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { toast } from '../ui/index.ts';

/**
 * The sentence for an error. If only the answer was lost, the command may have run. Internal errors have their own sentence. `undone` says
 * what was not done, which only a refusal guarantees.
 */
export function refusalOf({ code, message }: StudioError, undone?: string): string {
  if (code === 'unreachable') return t`${message} The change may have been made. Check before you repeat it.`;
  return undone === undefined ? message : `${message} ${undone}`;
}

/**
 * Shows the error of a command without a place on the page: by a shortcut, from a menu, by a drag. If its button is still shown,
 * `useAction` shows the error there.
 */
export const showRefusal = (error: StudioError): void => void toast({ kind: 'fail', text: refusalOf(error) });
