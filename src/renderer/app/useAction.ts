import { useState } from 'react';
import type { Result } from '../../shared/result.ts';
import { refusalOf } from './refusals.ts';

/**
 * Runs commands for clicks and keeps the sentence of a refusal, to be shown where the click was made (`<Refusal>`); the next click takes
 * it away.
 */
export function useAction(): {
  refusal: string | undefined;
  run: <Data>(answer: Promise<Result<Data>>) => Promise<Result<Data>>;
  /** Where the next click begins with something else than {@link run}, such as a question. */
  clear: () => void;
} {
  const [refusal, setRefusal] = useState<string>();
  const run = async <Data>(answer: Promise<Result<Data>>): Promise<Result<Data>> => {
    setRefusal(undefined);
    const result = await answer;
    if (!result.ok) setRefusal(refusalOf(result.error));
    return result;
  };
  return { refusal, run, clear: () => setRefusal(undefined) };
}
