import { useCallback, useRef, useState } from 'react';

/** A second press within this time is the same press: a double click, or a key that bounced. */
const SAME_PRESS_MS = 800;

/**
 * Runs an action that may cost money once for one press: presses while it runs, and the second half of a double click after a quick
 * answer, do nothing. The action resolves to the sentence to show where it failed.
 */
export function useSend(action: () => Promise<string | undefined>) {
  const [state, setState] = useState<{ isBusy: boolean; error: string | undefined }>({
    isBusy: false,
    error: undefined,
  });
  const lock = useRef(false);
  const latest = useRef(action);
  latest.current = action;
  const send = useCallback(async () => {
    if (lock.current) return;
    lock.current = true;
    setState({ isBusy: true, error: undefined });
    const started = performance.now();
    const error = await latest.current();
    setState({ isBusy: false, error });
    setTimeout(
      () => {
        lock.current = false;
      },
      Math.max(0, started + SAME_PRESS_MS - performance.now()),
    );
  }, []);
  const dismiss = useCallback(() => setState({ isBusy: false, error: undefined }), []);
  return { ...state, send, dismiss };
}
