import type { CallInput, CallOutput, Result } from '../../client/index.ts';
import { isAnswerLost, sendOnce } from '../../spending/index.ts';

type Asking = 'chat.send' | 'chat.edit' | 'chat.regenerate' | 'chat.continue';

/** What was asked for and is not answered yet, by what the user wrote and set for it. */
const unanswered = new Map<string, CallInput<Asking>>();

/**
 * Asks for an answer once for what the user wrote and set (`own`), and answers as `sendOnce` does. While it is not known what became of it,
 * the same is asked for exactly as it was, at the price that is shown now: the chat may have another branch or model by then, and another
 * input would be another request, which is paid for besides.
 */
export async function askOnce<Name extends Asking>(
  name: Name,
  input: CallInput<Name>,
  own: readonly unknown[],
): Promise<Result<CallOutput<Name>>> {
  const what = JSON.stringify([name, ...own]);
  const { shown, night } = input as { shown?: CallInput<Asking>['shown']; night?: boolean };
  const first = (unanswered.get(what) ?? input) as CallInput<Name> & { night?: boolean };
  unanswered.set(what, first);
  const answer = await sendOnce(name, { ...first, shown, night });
  // What was refused because it was ordered for the other time is not answered by that.
  const isItsOwn = (first.night === true) === (night === true);
  if (isItsOwn && (answer.ok || !isAnswerLost(answer.error))) unanswered.delete(what);
  return answer;
}
