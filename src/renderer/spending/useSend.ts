import { useCallback, useRef, useState } from 'react';
import type { StudioError } from '../../shared/result.ts';
import { pressNow } from './presses.ts';
import { isAnswerLost, useLostAnswers } from './sendOnce.ts';

/** Why an action failed: a sentence of the page, which asked the studio for nothing yet, or the studio's error. Undefined if it did not. */
export type SendFailure = string | StudioError | undefined;

interface SendState {
  isBusy: boolean;
  error: string | undefined;
  /** It is not known whether the studio did what it was asked for. */
  isUnknown: boolean;
}

const failed = (failure: SendFailure): Omit<SendState, 'isBusy'> =>
  typeof failure === 'object'
    ? { error: failure.message, isUnknown: isAnswerLost(failure) }
    : { error: failure, isUnknown: false };

/**
 * Runs an action that may cost money once for one press: presses while it runs do nothing, and the button is busy for as long. A held
 * key and the second half of a double click are the press that they began with, also after a quick answer.
 */
export function useSend(action: () => Promise<SendFailure>) {
  const [state, setState] = useState<SendState>({ isBusy: false, ...failed(undefined) });
  const isAskedAgain = useLostAnswers(({ count }) => count > 0);
  const isRunning = useRef(false);
  const answered = useRef<number>(undefined);
  const latest = useRef(action);
  latest.current = action;
  const send = useCallback(async () => {
    const press = pressNow();
    if (isRunning.current || answered.current === press) return;
    isRunning.current = true;
    answered.current = press;
    setState({ isBusy: true, ...failed(undefined) });
    const failure = await latest.current();
    setState({ isBusy: false, ...failed(failure) });
    isRunning.current = false;
  }, []);
  const dismiss = useCallback(() => setState({ isBusy: false, ...failed(undefined) }), []);
  return { ...state, isWaiting: state.isBusy && isAskedAgain, send, dismiss };
}
