import { useCallback, useRef, useState } from 'react';
import type { StudioError } from '../../shared/result.ts';
import { isAnswerLost, useLostAnswers } from './sendOnce.ts';

/** A second press within this time is the same press: a double click, or a key that bounced. */
const SAME_PRESS_MS = 800;

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
 * Runs an action that may cost money once for one press: presses while it runs, and the second half of a double click after a quick
 * answer, do nothing.
 */
export function useSend(action: () => Promise<SendFailure>) {
  const [state, setState] = useState<SendState>({ isBusy: false, ...failed(undefined) });
  const isAskedAgain = useLostAnswers(({ count }) => count > 0);
  const lock = useRef(false);
  const latest = useRef(action);
  latest.current = action;
  const send = useCallback(async () => {
    if (lock.current) return;
    lock.current = true;
    setState({ isBusy: true, ...failed(undefined) });
    const started = performance.now();
    const failure = await latest.current();
    setState({ isBusy: false, ...failed(failure) });
    setTimeout(
      () => {
        lock.current = false;
      },
      Math.max(0, started + SAME_PRESS_MS - performance.now()),
    );
  }, []);
  const dismiss = useCallback(() => setState({ isBusy: false, ...failed(undefined) }), []);
  return { ...state, isWaiting: state.isBusy && isAskedAgain, send, dismiss };
}
