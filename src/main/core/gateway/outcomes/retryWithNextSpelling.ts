import type { ChatOutcome, SendOptions, SubmitOutcome } from '../types.ts';
import { isAccepted } from './outcome.ts';

/** The most spellings of one request: the first, and one change of each of the three that the specification leaves open. */
const MAX_SPELLINGS = 4;

interface Spellings<Spelling, Submitted> {
  first: Spelling;
  /** Identifies a spelling. */
  nameOf(spelling: Spelling): string;
  /** Sends the request once. */
  submit(spelling: Spelling): Promise<Submitted>;
  /** The spelling that a definite no asks for, if the refusal is about the spelling. One that was tried is not sent again. */
  next(
    refused: Submitted,
    sent: Spelling,
    isTried: (spelling: Spelling) => boolean,
  ): Spelling | undefined | Promise<Spelling | undefined>;
  /** Remembers the spelling that was accepted after another was refused. */
  learn?(taken: Spelling): void;
  /** The most spellings to try. */
  most?: number;
}

/**
 * Sends a paid request. After a definite no to its spelling, sends it again in the spelling that the service asks for. This is the only
 * place where a paid request is sent more than once: a request that may have been accepted, or was canceled meanwhile, is not sent again,
 * and no spelling is tried twice.
 */
export async function retryWithNextSpelling<Spelling, Submitted extends { outcome: SubmitOutcome | ChatOutcome }>(
  { signal, mayRetry }: SendOptions,
  { first, nameOf, submit, next, learn, most = MAX_SPELLINGS }: Spellings<Spelling, Submitted>,
): Promise<Submitted> {
  const tried = new Set<string>();
  const isTried = (spelling: Spelling): boolean => tried.has(nameOf(spelling));
  let spelling = first;
  for (;;) {
    tried.add(nameOf(spelling));
    const submitted = await submit(spelling);
    if (tried.size > 1 && isAccepted(submitted.outcome)) learn?.(spelling);
    if (!isDefiniteNo(submitted.outcome) || tried.size >= most) return submitted;
    const following = await next(submitted, spelling, isTried);
    if (following === undefined || isTried(following)) return submitted;
    if (signal?.aborted || mayRetry?.() === false) return submitted;
    spelling = following;
  }
}

const isDefiniteNo = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.accepted === 'no';

/** Whether the request was refused for its content. */
export const isRefusedAsInvalid = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.kind === 'invalid';
