import type { BoardContent } from '../../../../shared/board/board.ts';
import { t } from '../../../../shared/text/texts.ts';
import { errorText } from '../../../words/index.ts';
import type { Refusal } from './pending.ts';

/** Why an edit is not saved, in one sentence with the shot, the field and the rule. */
export function notSavedText({ error, shotId }: Refusal, { shots }: Pick<BoardContent, 'shots'>): string {
  const number = shots.findIndex(({ id }) => id === shotId) + 1;
  const text = errorText(error);
  const rule = text.startsWith('The ') ? `t${text.slice(1)}` : text;
  return t`Not saved: ${number > 0 ? t`in shot ${number} ` : ''}${rule}`;
}
