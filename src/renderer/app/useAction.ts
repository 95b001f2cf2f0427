import { useState } from 'react';
import type { Result, StudioError } from '../../shared/result.ts';
import { t } from '../../shared/texts.ts';

/**
 * Runs commands for clicks and keeps the sentence of a refusal, to be shown where the click was made (`<Refusal>`); the next click takes
 * it away.
 */
export function useAction(): {
  refusal: string | undefined;
  run: <Data>(answer: Promise<Result<Data>>) => Promise<Result<Data>>;
} {
  const [refusal, setRefusal] = useState<string>();
  const run = async <Data>(answer: Promise<Result<Data>>): Promise<Result<Data>> => {
    setRefusal(undefined);
    const result = await answer;
    if (!result.ok) setRefusal(refusalOf(result.error));
    return result;
  };
  return { refusal, run };
}

/** Where only the answer was lost, it may have been done. What ends in an exception says so itself. */
const refusalOf = ({ code, message }: StudioError): string =>
  code === 'unreachable' ? t`${message} It may have been done all the same: look before you do it again.` : message;
