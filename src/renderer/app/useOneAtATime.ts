import { useRef } from 'react';

/** Ignores calls until the last one has ended, such as those of a held Enter, for which a disabled button comes too late. */
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
