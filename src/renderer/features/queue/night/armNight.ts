import type { NightPlan, NightStatus } from '../../../../shared/night.ts';
import type { StudioError } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import { navigate, parseRoute } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { isAnswerLost, type NightOrder, offOfOrder, takeNightOrder, untilAnswered } from '../../../spending/index.ts';
import { toast } from '../../../ui/index.ts';
import { forgetPlanDraft } from './planDraft.ts';

/** Plans the night, or changes the one that is planned or open, and then makes the order that came along. */
export async function armNight(status: NightStatus, plan: NightPlan): Promise<StudioError | undefined> {
  const answer = await untilAnswered(() => call('night.plan', plan));
  if (!answer.ok) return answer.error;
  forgetPlanDraft(status);
  const order = takeNightOrder();
  if (order) await makeOrder(order, t`Night ${answer.data.number}`);
  else if (answer.data.state === 'open') navigate('queue', {}, 'night');
  return undefined;
}

/** Goes back to where it was made, unless the plan was left by then: whatever became of it is mended there, and the night stays armed. */
async function makeOrder(order: NightOrder, night: string): Promise<void> {
  const { what, onSend, from } = order;
  const failure = offOfOrder(order) ?? (await onSend());
  if (parseRoute(window.location.hash).part === 'night') window.location.hash = from;
  if (failure === undefined) return toast({ text: t`${night} is armed, with: ${what}.` });
  const error = typeof failure === 'string' ? { message: failure, isLost: false } : lost(failure);
  const became = error.isLost ? t`may be in it: pressed again as it is, it is not sent twice` : t`is not in it`;
  toast({ kind: 'fail', text: t`${night} is armed, and ${what} ${became}. ${error.message}` });
}

const lost = (error: StudioError) => ({ message: error.message, isLost: isAnswerLost(error) });
