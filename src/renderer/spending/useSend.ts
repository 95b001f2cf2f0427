import { useCallback, useEffect, useRef, useState } from 'react';
import type { StudioError } from '../../shared/result.ts';
import { t } from '../../shared/texts.ts';
import { toast } from '../ui/index.ts';
import { pressNow } from './presses.ts';
import { isAnswerLost, useLostAnswers } from './sendOnce.ts';
import { answerSent, forgetSent, keepSent, lastOf, type Sender, type Sent, useSends } from './sends.ts';

type Why = string | StudioError | undefined;

/** A part of what one press orders was sent before the rest failed: `sent` says which, in place of the page's own words. */
export interface PartSent {
  failure: string | StudioError;
  sent: string;
}

/** Why an action failed: a sentence of the page, which asked the studio for nothing yet, or the studio's error. Undefined if it did not. */
export type SendFailure = Why | PartSent;

const why = (failure: Why): Pick<Sent, 'isBusy' | 'error' | 'isUnknown' | 'sent'> =>
  typeof failure === 'object'
    ? { isBusy: false, error: failure.message, isUnknown: isAnswerLost(failure), sent: undefined }
    : { isBusy: false, error: failure, isUnknown: false, sent: undefined };

const failed = (failure: SendFailure): ReturnType<typeof why> =>
  typeof failure === 'object' && 'sent' in failure ? { ...why(failure.failure), sent: failure.sent } : why(failure);

const UNKNOWN_LEFT = t`It may have been done all the same: look before you do it again.`;

/** Where its button is gone by the answer, a refusal has no place on the page: whoever pressed it would take it for done. */
function tellLeft(failure: SendFailure, what: string | undefined): void {
  const { error, isUnknown, sent } = failed(failure);
  if (error === undefined) return;
  const became = sent ?? (isUnknown ? UNKNOWN_LEFT : t`Nothing was sent.`);
  toast({ kind: 'fail', text: what === undefined ? `${error} ${became}` : `${what}: ${error} ${became}` });
}

/**
 * Runs an action that may cost money once for one press: presses while it runs do nothing, and the button is busy for as long. A held
 * key and the second half of a double click are the press that they began with, also after a quick answer. What becomes of it belongs to
 * the part of the page; with a name (`of`) to what is sent: the same part may show another one next, and the page may be left and come back.
 * `what` names the order where a refusal is told on another page.
 */
export function useSend(action: (isForNight: boolean) => Promise<SendFailure>, of?: string, what?: string) {
  const [own] = useState(() => ({}));
  useEffect(() => () => forgetSent(own), [own]);
  const sender: Sender = of ?? own;
  const last = useSends((state) => state.last.get(sender));
  const { isBusy, error, isUnknown, sent } = last ?? failed(undefined);
  const isAskedAgain = useLostAnswers(({ count }) => count > 0);
  const latest = useRef({ action, sender, what });
  latest.current = { action, sender, what };
  const send = useCallback(async (isForNight = false) => {
    const { action: run, sender: by, what: order } = latest.current;
    const press = pressNow();
    const before = lastOf(by);
    if (before?.isBusy || before?.press === press) return;
    const begun = { ...failed(undefined), isBusy: true, isForNight, press };
    keepSent(by, begun);
    const failure = await run(isForNight);
    if (!answerSent(begun, { ...begun, ...failed(failure) })) tellLeft(failure, order);
  }, []);
  const dismiss = useCallback(() => {
    const shown = lastOf(latest.current.sender);
    if (shown) keepSent(latest.current.sender, { ...shown, ...failed(undefined) });
  }, []);
  const isForNight = last?.isForNight === true;
  return { isBusy, error, isUnknown, sent, isForNight, isWaiting: isBusy && isAskedAgain, send, dismiss };
}
