import type { Answer } from '../exchange/index.ts';
import type { Json } from '../json/index.ts';
import type { ChatOutcome, GatewayError, PollOutcome, SendOptions, StatedCost, SubmitOutcome } from '../types.ts';
import { saysCharged, statedCost, statesSome } from './statedCost.ts';

type Refused =
  | Extract<SubmitOutcome, { type: 'refused' }>
  | { type: 'unknown'; error: GatewayError; stated?: StatedCost };

/** The outcome of an error: a definite no, a failure whose cost is open, or unknown. */
export function refused(error: GatewayError): Refused {
  if (error.accepted === 'unknown' && !error.answered) return { type: 'unknown', error };
  return { type: 'refused', error, billed: error.accepted === 'no' ? 'no' : 'unknown' };
}

/** The service has accepted the request, and said so. */
export const isAccepted = ({ type }: SubmitOutcome | ChatOutcome): boolean =>
  type === 'accepted' || type === 'done' || type === 'answered';

/**
 * The outcome with the cost that its answer states; of several documents, the first that states one counts. A failure that states a cost,
 * in any unit, may be billed, even where other failures are free.
 */
export function withStated<T extends SubmitOutcome | PollOutcome | Refused | { type: 'finished' }>(
  outcome: T,
  { headers }: Pick<Answer, 'headers'>,
  documents: readonly (Json | undefined)[],
): T {
  const hasEnded = outcome.type === 'failed' || (outcome.type === 'refused' && outcome.error.accepted !== 'no');
  const hasSucceeded = outcome.type === 'done' || outcome.type === 'accepted';
  if (!hasSucceeded && !hasEnded && outcome.type !== 'unknown') return outcome;
  const stated = firstStated(headers, documents);
  const some = stated && (hasSucceeded || statesSome(stated)) ? { stated } : {};
  const isCharged = hasEnded && ('stated' in some || saysCharged(outcome.error.message));
  return { ...outcome, ...(isCharged ? { billed: 'unknown' } : {}), ...some };
}

function firstStated(headers: Answer['headers'], documents: readonly (Json | undefined)[]): StatedCost | undefined {
  for (const document of documents.length > 0 ? documents.slice(0, MAX_DOCUMENTS) : [undefined]) {
    const stated = statedCost(headers, document);
    if (stated) return stated;
  }
  return undefined;
}

const MAX_DOCUMENTS = 20;

/** The most spellings of one request: the first, and one change of each of the three that the specification leaves open. */
export const MAX_SPELLINGS = 4;

interface Spellings<Spelling, Submitted> {
  first: Spelling;
  /** Identifies a spelling. */
  nameOf(spelling: Spelling): string;
  /** Sends the request once. */
  submit(spelling: Spelling): Promise<Submitted>;
  /** The spelling that a definite no asks for, if the refusal is about the spelling. */
  next(refused: Submitted, sent: Spelling): Spelling | undefined | Promise<Spelling | undefined>;
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
  let spelling = first;
  for (;;) {
    tried.add(nameOf(spelling));
    const submitted = await submit(spelling);
    if (tried.size > 1 && isAccepted(submitted.outcome)) learn?.(spelling);
    if (!isDefiniteNo(submitted.outcome) || tried.size >= most) return submitted;
    const following = await next(submitted, spelling);
    const isOver = signal?.aborted || mayRetry?.() === false;
    if (following === undefined || isOver || tried.has(nameOf(following))) return submitted;
    spelling = following;
  }
}

const isDefiniteNo = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.accepted === 'no';

/** Whether the request was refused for its content. */
export const isRefusedAsInvalid = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.kind === 'invalid';
