import type { StudioError } from '../../../../shared/contract/result.ts';
import type { NightPlan, NightStatus } from '../../../../shared/jobs/night.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, parseRoute } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  isAnswerLost,
  isNightOrder,
  type NightOrder,
  offOfOrder,
  takeNightOrder,
  untilAnswered,
  useNightOrder,
} from '../../../spending/index.ts';
import { toast } from '../../../ui/index.ts';
import { draftOf, settlePlanDraft } from './planDraft.ts';

/**
 * Schedules the run, or changes the scheduled or open one, and then adds the jobs that were brought to the plan at the press, even if the
 * plan was left before the answer. A later refusal is shown as a toast and not returned.
 */
export async function armNight(status: NightStatus, plan: NightPlan): Promise<StudioError | undefined> {
  const { order } = useNightOrder.getState();
  const pressed = draftOf(status);
  const answer = await untilAnswered(() => call('night.plan', plan));
  const isLeft = wasLeft(order);
  if (!answer.ok) return isLeft ? tellRefusal(answer.error, order) : answer.error;
  settlePlanDraft(status, pressed, answer.data, newestRevision());
  if (order && takeNightOrder(order)) await makeOrder(order, t`Overnight run ${answer.data.number}`, isLeft);
  else if (answer.data.state === 'open' && !isLeft) navigate('queue', {}, 'night');
  return undefined;
}

async function newestRevision(): Promise<number | undefined> {
  const nights = await call('night.get', {});
  return nights.ok ? nights.data.revision : undefined;
}

function isPlanShown(): boolean {
  const { page, part, params } = parseRoute(window.location.hash);
  return page === 'queue' && (part === 'night' || params.get('plan') === 'night');
}

/** Whether the user left the plan since the press: its jobs are gone, or it was opened again with others. */
function wasLeft(order: NightOrder | undefined): boolean {
  const { order: now } = useNightOrder.getState();
  if (!isPlanShown()) return true;
  return now !== order && (now !== undefined || (order !== undefined && isNightOrder(order)));
}

/** After leaving, the bar of the plan is not visible, so a toast reports the refusal; its action returns with the jobs. */
function tellRefusal(error: StudioError, pressed: NightOrder | undefined): undefined {
  const order = pressed && isNightOrder(pressed) ? pressed : undefined;
  const night = isAnswerLost(error) ? t`The run may be scheduled.` : t`The run is not scheduled.`;
  const left = order && t`${order.what} is not in it.`;
  toast({
    kind: 'fail',
    text: [night, left, error.message].filter(Boolean).join(' '),
    action: { label: t`Back to plan`, onAction: () => backToPlan(order) },
  });
}

function backToPlan(order: NightOrder | undefined): void {
  if (order) useNightOrder.setState({ order });
  navigate('queue', { plan: 'change' }, 'night');
}

/**
 * Adds the jobs and returns to where they were made, unless the plan was left by then: errors are fixed there, and the run stays scheduled.
 * A toast reports the run, since its plan is no longer visible.
 */
async function makeOrder(order: NightOrder, night: string, isLeft: boolean): Promise<void> {
  const { what, onSend, from } = order;
  const failure = offOfOrder(order) ?? (await onSend());
  if (!isLeft && isPlanShown()) window.location.hash = from;
  if (failure === undefined) return void toast({ text: t`${night} is scheduled with: ${what}.` });
  // Some of several requests may be in the run; the failure says which.
  if (typeof failure === 'object' && 'sent' in failure) {
    const { failure: why, sent } = failure;
    const refused = typeof why === 'string' ? why : why.message;
    return void toast({ kind: 'fail', text: `${t`${night} is scheduled.`} ${what}: ${refused} ${sent}` });
  }
  const error = typeof failure === 'string' ? { message: failure, isLost: false } : lost(failure);
  const became = error.isLost ? t`${what} may be in it. Pressing again is safe.` : t`${what} is not in it.`;
  toast({ kind: 'fail', text: `${t`${night} is scheduled.`} ${became} ${error.message}` });
}

const lost = (error: StudioError) => ({ message: error.message, isLost: isAnswerLost(error) });
