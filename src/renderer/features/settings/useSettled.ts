import { useRef, useState } from 'react';
import type { Result } from '../../../shared/contract/result.ts';
import { useAction } from '../../app/index.ts';

/** A figure that is still being typed is not saved. */
const SETTLED_MS = 500;

interface Settled<Part> {
  /** What is typed and not saved yet. */
  typed: Partial<Part>;
  change: (part: Partial<Part>) => void;
  refusal: string | undefined;
}

/** A part of the settings that is saved once typing rests, on top of what is saved by then. What is typed during that stays. */
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
