import { create } from 'zustand';
import { type ErrorCode, fail, type StudioError } from '../../shared/result.ts';
import { orderOf } from '../../shared/spendingCall.ts';
import { t } from '../../shared/texts.ts';
import { endPress, useStudio } from '../app/index.ts';
import { type CallInput, type CallOutput, callWithKey, type Result, type SpendingCall } from '../client/index.ts';
import { toast } from '../ui/index.ts';
import { forgetKey, isUnanswered, keyFor } from './unansweredKeys.ts';

/** With these, the answer alone may have been lost: what was asked for may have been done. */
const LOST: ReadonlySet<ErrorCode> = new Set(['unreachable', 'internal']);

/** Whether it is not known what became of a call. */
export const isAnswerLost = ({ code }: StudioError): boolean => LOST.has(code);

/** Before each repeat. A studio that is away is waited for besides. */
const PAUSES_MS = [250, 1_000, 2_000, 4_000, 8_000];
/** Then the page says that it does not know, and the user decides. */
const GIVE_UP_MS = 120_000;

interface LostAnswers {
  /** How many calls wait to be asked again. */
  count: number;
}

export const useLostAnswers = create<LostAnswers>()(() => ({ count: 0 }));

/**
 * Makes a call that may spend, once for what it asks for: where its answer is lost, it is repeated with its key when the studio is back,
 * and answers what the first one made. Another price is the same request, since prices change while nobody knows what became of it.
 * After a definite answer the same input is a new request. `content` is what the input only names, such as the shot that a take is made
 * of: another content is another request. What was ordered for tonight and not answered is not ordered for now besides, and the other
 * way round.
 */
export async function sendOnce<Name extends SpendingCall>(
  name: Name,
  input: CallInput<Name>,
  content = '',
): Promise<Result<CallOutput<Name>>> {
  const { what, other } = whatOf(name, input, content);
  if (other && isUnanswered(other.what)) return fail('conflict', other.text);
  const { key: requestKey, isKnown } = keyFor(what);
  const answer = await untilAnswered(() => callWithKey(name, { ...input, requestKey }));
  if (!answer.ok && isAnswerLost(answer.error)) return answer;
  forgetKey(what, requestKey);
  if (answer.ok && isKnown)
    toast({ text: t`The answer to your earlier press was lost. The two are one: it is sent once.` });
  return answer;
}

/** What a call asks for, and the same at the other time, where it orders for now or for tonight. */
function whatOf<Name extends SpendingCall>(name: Name, input: CallInput<Name>, content: string) {
  const { night, ...order } = orderOf(input) as { night?: boolean };
  const whatAt = (isForNight: boolean) =>
    JSON.stringify([name, isForNight ? { ...order, night: true } : order, content]);
  // It moves what is ordered already.
  if (name === 'night.assign') return { what: JSON.stringify([name, orderOf(input), content]) };
  return {
    what: whatAt(night === true),
    other: { what: whatAt(night !== true), text: ASKED_AT[night ? 'now' : 'tonight'] },
  };
}

const ASKED_AT = {
  tonight: t`The same was ordered for tonight, and the answer has not come: it may be in the queue. Press Tonight once more, which does not order it twice.`,
  now: t`The same was ordered for now, and the answer has not come: it may be in the queue. Order it for now once more, which does not order it twice.`,
};

/** Asks again while the answer is lost, as long as that is bearable. Only for what may be asked twice. */
export async function untilAnswered<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
  endPress();
  const end = performance.now() + GIVE_UP_MS;
  let answer = await ask();
  for (const pause of PAUSES_MS) {
    if (answer.ok || !isAnswerLost(answer.error)) return answer;
    const isBack = await whileWaiting(() => waitForStudio(pause, end));
    if (!isBack) return answer;
    answer = await ask();
  }
  return answer;
}

async function whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
  const add = (more: number) => useLostAnswers.setState(({ count }) => ({ count: count + more }));
  add(1);
  try {
    return await wait();
  } finally {
    add(-1);
  }
}

/** Whether the studio can be asked again; not where it stays away too long, or knows this page no longer. */
async function waitForStudio(pause: number, end: number): Promise<boolean> {
  await new Promise((done) => setTimeout(done, pause));
  if (useStudio.getState().link === 'lost') await linkChange(end - performance.now());
  return useStudio.getState().link === 'up' && performance.now() < end;
}

function linkChange(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      off();
      resolve();
    };
    const timer = setTimeout(done, mostMs);
    const off = useStudio.subscribe(({ link }) => {
      if (link !== 'lost') done();
    });
  });
}
