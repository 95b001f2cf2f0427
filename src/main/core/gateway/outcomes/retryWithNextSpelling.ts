import { isTaken } from '../tasks/taskOutcomes.ts';
import type { ChatOutcome, SendOptions, SubmitOutcome } from '../types.ts';

/** So many spellings are tried for one order: the first, and one change of each of the three that the specification leaves open. */
export const MOST_SPELLINGS = 4;

interface Spellings<Spelling, Placed> {
  first: Spelling;
  /** What tells one spelling from another. */
  nameOf(spelling: Spelling): string;
  /** Sends the order once. */
  place(spelling: Spelling): Promise<Placed>;
  /** The spelling that a definite no asks for, if it is about the spelling at all. */
  next(refused: Placed, sent: Spelling): Spelling | undefined | Promise<Spelling | undefined>;
  /** Remembers the spelling that was taken after another was refused. */
  learn?(taken: Spelling): void;
  /** Most spellings. */
  most?: number;
}

/**
 * Sends an order, and after a definite no to how it is spelt sends it in the spelling that is asked for: the one place where an order
 * goes out more than once. What may have been taken, and what was canceled meanwhile, is not sent again; no spelling is tried twice.
 */
export async function retryWithNextSpelling<Spelling, Placed extends { outcome: SubmitOutcome | ChatOutcome }>(
  { signal, mayGoOn }: SendOptions,
  { first, nameOf, place, next, learn, most = MOST_SPELLINGS }: Spellings<Spelling, Placed>,
): Promise<Placed> {
  const tried = new Set<string>();
  let spelling = first;
  for (;;) {
    tried.add(nameOf(spelling));
    const placed = await place(spelling);
    if (tried.size > 1 && isTaken(placed.outcome)) learn?.(spelling);
    if (!isDefiniteNo(placed.outcome) || tried.size >= most) return placed;
    const following = await next(placed, spelling);
    const isOver = signal?.aborted || mayGoOn?.() === false;
    if (following === undefined || isOver || tried.has(nameOf(following))) return placed;
    spelling = following;
  }
}

const isDefiniteNo = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.accepted === 'no';

/** Whether the order was refused for what it says. */
export const isRefusedAsInvalid = (outcome: SubmitOutcome | ChatOutcome): boolean =>
  outcome.type === 'refused' && outcome.error.kind === 'invalid';
