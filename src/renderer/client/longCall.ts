import { contract, isCallName } from '../../shared/contract.ts';
import { parseInput, type Result } from '../../shared/result.ts';

/**
 * In characters. A host reads no call of more than two million, so it could not tell which field is too long: what is that long is
 * judged here, before anything is sent.
 */
const LONG_CALL = 500_000;

/** The refusal of a long call, by its field; undefined where it may be sent. `text` is `input` as JSON. */
export function refusedLongCall(name: string, input: unknown, text: string): Result<unknown> | undefined {
  if (text.length <= LONG_CALL || !isCallName(name)) return undefined;
  const parsed = parseInput(contract[name].input, input);
  return parsed.ok ? undefined : parsed;
}
