import { useState } from 'react';
import type { Result } from '../../shared/contract/result.ts';
import { refusalOf } from './refusals.ts';

/**
 * Runs commands for clicks and keeps the sentence of a refusal, to be shown where the click was made (`<Refusal>`); the next click takes
 * it away.
 */
export function useAction(): {
  refusal: string | undefined;
  /** While a command is under way: its button is `busy`. */
  isBusy: boolean;
  /** `undone` says what was not done. */
  run: <Data>(answer: Promise<Result<Data>>, undone?: string) => Promise<Result<Data>>;
  /** Where the click is refused before a command, or begins with something else, such as a question. */
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
