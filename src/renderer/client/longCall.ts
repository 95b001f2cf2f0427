import { parseInput, type Result } from '../../shared/contract/result.ts';

/**
 * In characters. A host reads no call of more than two million, so it could not tell which field is too long: what is that long is
 * judged here, before anything is sent.
 */
const LONG_CALL = 500_000;

/** The refusal of a long call, by its field; undefined where it may be sent. `text` is `input` as JSON. */
export async function refusedLongCall(
  name: string,
  input: unknown,
  text: string,
): Promise<Result<unknown> | undefined> {
  if (text.length <= LONG_CALL) return undefined;
  // The rules of all calls are half as large as a page, and few calls are that long.
  const { contract, isCallName } = await import('../../shared/contract/contract.ts');
  if (!isCallName(name)) return undefined;
  const parsed = parseInput(contract[name].input, input);
  return parsed.ok ? undefined : parsed;
}
