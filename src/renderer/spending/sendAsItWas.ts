import type { CallInput, CallOutput, Result, SpendingCall } from '../client/index.ts';
import { isAnswerLost, sendOnce } from './sendOnce.ts';
import { Unanswered } from './unanswered.ts';

/** Calls whose input says more than the user chose: where an answer or a new shot goes, and the id that the new one will have. */
type Asking = Extract<SpendingCall, `chat.${string}` | 'storyboard.makeTake'>;

interface Asked {
  input: object;
  content: string;
}

const unanswered = new Unanswered<Asked>('dailies.asked');

/**
 * Asks once for what the user wrote and set (`own`), and answers as `sendOnce` does. While it is not known what became of it, the same is
 * asked for exactly as it was, at the price that is shown now: the chat may have another branch by then, or the board the new shot, and
 * another input would be another request, which is paid for besides.
 */
export async function sendAsItWas<Name extends Asking>(
  name: Name,
  input: CallInput<Name>,
  own: readonly unknown[],
  content = '',
): Promise<Result<CallOutput<Name>>> {
  const what = JSON.stringify([name, ...own]);
  const { shown, night } = input as Pick<CallInput<Asking>, 'shown' | 'night'>;
  const first = unanswered.get(what) ?? { input, content };
  unanswered.set(what, first);
  const again = { ...(first.input as CallInput<Name>), shown, night };
  const answer = await sendOnce(name, again, first.content);
  // What was refused because it was ordered for the other time is not answered by that.
  const isItsOwn = ((first.input as typeof again).night === true) === (night === true);
  if (isItsOwn && (answer.ok || !isAnswerLost(answer.error))) unanswered.delete(what);
  return answer;
}
