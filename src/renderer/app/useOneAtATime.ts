import { useRef } from 'react';

/** Does nothing where it is asked for again before it has ended, such as by Enter that is held: a button that waits is seen too late for that. */
export function useOneAtATime<Input extends unknown[]>(
  run: (...input: Input) => Promise<void>,
): (...input: Input) => Promise<void> {
  const isRunning = useRef(false);
  return async (...input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    await run(...input).finally(() => {
      isRunning.current = false;
    });
  };
}
