import { useState } from 'react';
import type { Result } from '../../shared/contract/result.ts';
import { refusalOf } from './refusals.ts';

/** Runs commands for clicks and keeps the error's sentence to show at the click's place (`<Refusal>`); the next click removes it. */
export function useAction(): {
  refusal: string | undefined;
  /** Whether a command is running; then its button is `busy`. */
  isBusy: boolean;
  /** `undone` is the sentence for what was not done. */
  run: <Data>(answer: Promise<Result<Data>>, undone?: string) => Promise<Result<Data>>;
  /** For clicks that fail before a command, or begin with a question. */
  refuse: (text: string | undefined) => void;
} {
  const [refusal, refuse] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = async <Data>(answer: Promise<Result<Data>>, undone?: string): Promise<Result<Data>> => {
    refuse(undefined);
    setBusy(true);
    const result = await answer;
    setBusy(false);
    if (!result.ok) refuse(refusalOf(result.error, undone));
    return result;
  };
  return { refusal, isBusy, run, refuse };
}
