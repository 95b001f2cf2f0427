import { useEffect, useId } from 'react';
import { create } from 'zustand';
import { type ErrorCode, fail, type StudioError } from '../../shared/contract/result.ts';
import { withoutShown } from '../../shared/contract/spendingCall.ts';
import type { ShownPrice } from '../../shared/money/ledger.ts';
import { t } from '../../shared/text/texts.ts';
import { mayPay, useEntities, useStudio } from '../app/index.ts';
import { type CallInput, type CallOutput, callWithKey, type Result, type SpendingCall } from '../client/index.ts';
import { toast } from '../ui/index.ts';
import { WindowStore } from './windowStore.ts';

/** The paid press: one press sends one request, and a request whose reply was lost is repeated with its idempotency key. */

/** With these errors the request may have been carried out. */
const LOST: readonly ErrorCode[] = ['unreachable', 'internal'];

export const isAnswerLost = ({ code }: StudioError): boolean => LOST.includes(code);

/** Delays before the repeats. While the studio is unreachable, it waits for that as well. */
const PAUSES_MS = [250, 1_000, 2_000, 4_000, 8_000];
const GIVE_UP_MS = 120_000;

/** Requests without a definite answer, by name; `input` is kept if a repeat would be built differently. */
const unanswered = new WindowStore<{ key: string; input?: object }>('dailies.unanswered');

interface Order {
  /** Identifies content that the input only names, such as that of a shot: other content is another request. */
  content?: string;
  /** The user's choices, if the input contains more, such as a generated id: a repeat sends the first input unchanged. */
  own?: readonly unknown[];
  /** Who pays, if it is neither the active profile nor that of the jobs in the input. */
  payers?: readonly string[];
}

/** Calls that send nothing paid: reporting a bill or a loss sends nothing, and a dispute keeps its jobs waiting. */
const isFree = (name: SpendingCall, { as }: { as?: unknown }): boolean =>
  name === 'jobs.billedTwice' || as === 'lost' || as === 'lookup' || as === 'dispute';

const NOT_AGREED = fail('wrong_state', t`You have not yet allowed real money at this gateway.`);

/** The paying profiles: those of the jobs in the input, if the window knows them, otherwise the active one. */
function payersOf({ id, ids = [] }: { id?: string; ids?: readonly string[] }): readonly string[] {
  const { jobs } = useEntities.getState();
  const own = [...ids, id ?? ''].flatMap((each) => jobs.get(each)?.profileId ?? []);
  return own.length > 0 ? [...new Set(own)] : [useStudio.getState().activeProfileId ?? ''];
}

/** The name of a request while its answer is awaited, now or for tonight. */
const nameOf = (call: SpendingCall, input: object, { content = '', own }: Order, isForNight: boolean): string =>
  JSON.stringify([call, ...(own ? [own] : [withoutShown(input), content]), isForNight]);

/**
 * Makes a call that may spend, at a gateway with real money only after the user has agreed to pay there. While its answer is lost, the same
 * request keeps its key, even after a reload and at another price; after a definite answer, it is a new request. While a request for now is
 * unanswered, the same one for tonight is refused, and vice versa.
 */
export async function sendOnce<Name extends SpendingCall>(
  name: Name,
  input: CallInput<Name>,
  order: Order = {},
): Promise<Result<CallOutput<Name>>> {
  const { night = false, shown, ...rest } = input as { night?: boolean; shown?: ShownPrice };
  const what = nameOf(name, rest, order, night);
  const isAgreed = unanswered.get(what) !== undefined || isFree(name, rest);
  if (!isAgreed && !(await mayPay(order.payers ?? payersOf(rest), shown))) return NOT_AGREED;
  // `night.assign` only moves existing jobs.
  const isOrder = name !== 'night.assign';
  if (isOrder && unanswered.get(nameOf(name, rest, order, !night)))
    return fail('conflict', ASKED_AT[night ? 'now' : 'tonight']);
  return sendUnder(what, name, input, order.own && rest);
}

/** `first` is kept for a repeat that would be built differently. */
async function sendUnder<Name extends SpendingCall>(
  what: string,
  name: Name,
  input: CallInput<Name>,
  first: object | undefined,
): Promise<Result<CallOutput<Name>>> {
  const known = unanswered.get(what);
  const { key: requestKey, input: sentFirst } = known ?? { key: crypto.randomUUID(), input: first };
  if (!known) unanswered.set(what, { key: requestKey, ...(first && { input: first }) });
  const { night, shown } = input as { night?: boolean; shown?: ShownPrice };
  const sent = sentFirst ? { ...sentFirst, shown, night } : input;
  const answer = await untilAnswered(() => callWithKey(name, { ...(sent as CallInput<Name>), requestKey }));
  if (!answer.ok && isAnswerLost(answer.error)) return answer;
  if (unanswered.get(what)?.key === requestKey) unanswered.delete(what);
  if (answer.ok && known) toast({ text: t`The reply to your earlier press was lost. Both count as one request.` });
  return answer;
}

const ASKED_AT = {
  tonight: t`No reply yet to the same request for tonight. Press Schedule tonight once more: it is not queued twice.`,
  now: t`No reply yet to the same request. Press the button once more: it is not queued twice.`,
};

/** Repeats a call while its answer is lost, for at most two minutes. Only for calls that may be repeated. */
export async function untilAnswered<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
  const end = performance.now() + GIVE_UP_MS;
  let answer = await ask();
  for (const pause of PAUSES_MS) {
    if (answer.ok || !isAnswerLost(answer.error)) return answer;
    if (!(await canAskAgain(pause, end))) return answer;
    answer = await ask();
  }
  return answer;
}

async function canAskAgain(pause: number, end: number): Promise<boolean> {
  const add = (more: number) => useSends.setState(({ waiting }) => ({ waiting: waiting + more }));
  add(1);
  await new Promise((done) => setTimeout(done, pause));
  if (useStudio.getState().link === 'lost') {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, end - performance.now());
    const off = useStudio.subscribe(({ link }) => link !== 'lost' && resolve());
    await promise;
    clearTimeout(timer);
    off();
  }
  add(-1);
  return useStudio.getState().link === 'up' && performance.now() < end;
}

/** The outcome of a press. */
interface Sent {
  isBusy: boolean;
  error?: string | undefined;
  /** The answer was lost: the request may have been carried out. */
  isUnknown?: boolean;
  /** Describes the part that was sent before the rest failed. */
  sent?: string | undefined;
  isForNight: boolean;
}

/** The last press of each sender, and how many calls wait to be repeated. A running press stays the same object. */
export const useSends = create<{ last: Readonly<Record<string, Sent>>; waiting: number }>()(() => ({
  last: {},
  waiting: 0,
}));

const keep = (sender: string, sent: Sent): void =>
  useSends.setState(({ last }) => ({ last: { ...last, [sender]: sent } }));

const forget = (sender: string): void => useSends.setState(({ last: { [sender]: _, ...last } }) => ({ last }));

/** Renames a running press, for example to the chat that its first message has created. */
export function renameSent(from: string, to: string): void {
  const sent = useSends.getState().last[from];
  if (!sent?.isBusy) return;
  forget(from);
  keep(to, sent);
}

/** Why an action failed: a text of the page, which sent nothing, or an error. `sent` names the part that was sent before it. */
export type SendFailure = string | StudioError | { failure: string | StudioError; sent: string } | undefined;

function outcomeOf(failure: SendFailure): Pick<Sent, 'error' | 'isUnknown' | 'sent'> {
  if (typeof failure !== 'object') return { error: failure };
  if ('failure' in failure) return { ...outcomeOf(failure.failure), sent: failure.sent };
  return { error: failure.message, isUnknown: isAnswerLost(failure) };
}

const UNKNOWN_LEFT = t`The change may have been made. Check before you repeat it.`;

/** A held key repeatedly clicks the focused button. */
let isHeld = false;
window.addEventListener('keydown', ({ repeat }) => (isHeld = repeat), true);
for (const end of ['keyup', 'blur']) window.addEventListener(end, () => (isHeld = false), true);

/** Whether the current event belongs to an earlier press: the click of a held key, or the second one of a double click. */
const isRepeated = ({ event } = window): boolean =>
  event instanceof MouseEvent && (event.detail > 1 || (event.detail === 0 && isHeld));

/**
 * Runs an action that may cost money, once per press: a held key and the second half of a double click do nothing. The outcome belongs to
 * the component, or to `of`, which names the request if the user may leave the page and return. `what` describes it for errors after the
 * page was left.
 */
export function useSpend(action: (isForNight: boolean) => Promise<SendFailure>, of?: string, what?: string) {
  const own = useId();
  useEffect(() => () => forget(own), [own]);
  const sender = of ?? own;
  const last = useSends((state) => state.last[sender]);
  const isRepeating = useSends(({ waiting }) => waiting > 0);
  const send = async (isForNight = false) => {
    if (useSends.getState().last[sender]?.isBusy || isRepeated()) return;
    const begun: Sent = { isBusy: true, isForNight };
    keep(sender, begun);
    const outcome = outcomeOf(await action(isForNight));
    const now = Object.entries(useSends.getState().last).find(([, sent]) => sent === begun);
    if (now) return keep(now[0], { ...begun, ...outcome, isBusy: false });
    const { error, isUnknown, sent = isUnknown ? UNKNOWN_LEFT : t`Nothing was sent.` } = outcome;
    if (error === undefined) return;
    toast({ kind: 'fail', text: what === undefined ? `${error} ${sent}` : `${what}: ${error} ${sent}` });
  };
  const dismiss = () => {
    const shown = useSends.getState().last[sender];
    if (shown) keep(sender, { isBusy: false, isForNight: shown.isForNight });
  };
  const { isBusy = false, error, isUnknown = false, sent, isForNight = false } = last ?? {};
  return { isBusy, error, isUnknown, sent, isForNight, isWaiting: isBusy && isRepeating, send, dismiss };
}
