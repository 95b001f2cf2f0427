import { wordsInNames } from '../errors/index.ts';
import type { Answer } from '../exchange/index.ts';
import type { Json } from '../json/index.ts';
import type { ChatOutcome, GatewayError, PollOutcome, StatedCost, SubmitOutcome } from '../types.ts';
import { statedCost, statesSome } from './statedCost.ts';

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
 * in any unit, may be billed, even where other failures are free. So is a refusal of content: xAI charges for what it generated and then
 * moderated, with a 400 (docs.x.ai, pricing, usage guidelines violation fee).
 */
export function withStated<T extends SubmitOutcome | PollOutcome | Refused | { type: 'finished' }>(
  outcome: T,
  { headers }: Pick<Answer, 'headers'>,
  documents: readonly (Json | undefined)[],
): T {
  const hasEnded = outcome.type === 'failed' || (outcome.type === 'refused' && mayCost(outcome.error));
  const hasSucceeded = outcome.type === 'done' || outcome.type === 'accepted';
  if (!hasSucceeded && !hasEnded && outcome.type !== 'unknown') return outcome;
  const stated = firstStated(headers, documents);
  const some = stated && (hasSucceeded || statesSome(stated)) ? { stated } : {};
  const isCharged = hasEnded && ('stated' in some || saysCharged(outcome.error.message));
  return { ...outcome, ...(isCharged ? { billed: 'unknown' } : {}), ...some };
}

/** Whether a failure says that it was charged all the same. This can only raise a doubt, never settle one. */
const saysCharged = (message: string): boolean => CHARGED.test(wordsInNames(message.replace(TAKEN_BACK, ' ')));

const CHARGED =
  /\byou (were|have been) (charged|billed)\b|\bcredits? ((has|have) been|was|were) (charged|consumed|deducted)\b|已扣[费款]/;
/** No credits were taken, or they only may have been. */
const TAKEN_BACK = /(?<![\w.,])(?:(?:no|0|zero|without)\s+credits?|if\s+you)\b/gi;

const mayCost = ({ accepted, kind }: GatewayError): boolean => accepted !== 'no' || kind === 'moderation';

function firstStated(headers: Answer['headers'], documents: readonly (Json | undefined)[]): StatedCost | undefined {
  for (const document of documents.length > 0 ? documents.slice(0, MAX_DOCUMENTS) : [undefined]) {
    const stated = statedCost(headers, document);
    if (stated) return stated;
  }
  return undefined;
}

const MAX_DOCUMENTS = 20;
