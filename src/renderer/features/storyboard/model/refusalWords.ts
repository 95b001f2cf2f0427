import type { BoardContent } from '../../../../shared/board/board.ts';
import { t } from '../../../../shared/text/texts.ts';
import { errorText } from '../../../words/index.ts';
import type { Refusal } from './pending.ts';

/** Why an edit is not saved, in one sentence with the shot, the field and the rule. */
export function notSavedText({ error, shotId }: Refusal, { shots }: Pick<BoardContent, 'shots'>): string {
  const number = shots.findIndex(({ id }) => id === shotId) + 1;
  const rule = errorText(error);
  return number > 0 ? t`Shot ${number} is not saved. ${rule}` : t`Not saved. ${rule}`;
}
