import { parseInput, type Result } from '../../shared/contract/result.ts';

/**
 * In characters. A host refuses calls of more than two million without reading them, so it could not say which field is too long. Calls
 * above this length are checked here, before anything is sent.
 */
const LONG_CALL = 500_000;

/** The refusal of a call that is too long, with its field; undefined if the call may be sent. `text` is `input` as JSON. */
export async function refusedLongCall(
  name: string,
  input: unknown,
  text: string,
): Promise<Result<unknown> | undefined> {
  if (text.length <= LONG_CALL) return undefined;
  // Loaded on demand: the schemas of all calls are half as large as a page, and few calls are this long.
  const { contract, isCallName } = await import('../../shared/contract/contract.ts');
  if (!isCallName(name)) return undefined;
  const parsed = parseInput(contract[name].input, input);
  return parsed.ok ? undefined : parsed;
}
