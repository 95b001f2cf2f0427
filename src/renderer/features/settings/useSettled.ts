import { useRef, useState } from 'react';
import type { Result } from '../../../shared/contract/result.ts';
import { useAction } from '../../app/index.ts';

/** A number is saved only after typing has stopped for this long. */
const SETTLED_MS = 500;

interface Settled<Part> {
  /** Typed values that are not saved yet. */
  typed: Partial<Part>;
  change: (part: Partial<Part>) => void;
  refusal: string | undefined;
}

/** A part of the settings, saved when typing pauses, on top of what is saved by then. Values typed while saving stay. */
export function useSettled<Part extends object>(
  savedNow: () => Part,
  save: (all: Part) => Promise<Result<unknown>>,
): Settled<Part> {
  const [typed, setTyped] = useState<Partial<Part>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { refusal, run } = useAction();
  const change = (part: Partial<Part>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      const answer = await run(save({ ...savedNow(), ...next }));
      if (answer.ok) setTyped((now) => (now === next ? {} : now));
    }, SETTLED_MS);
  };
  return { typed, change, refusal };
}
