import { callPartSchema } from '../../../shared/contract/callParts.ts';
import { fail, ok, parseInput, type Result } from '../../../shared/contract/result.ts';

const MAX_OPEN_CALLS = 8;

interface AssembledCall {
  name: string;
  input: unknown;
}

/** Assembles large calls from their parts. A page that stops midway leaves at most a few parts behind. */
export class CallParts {
  private readonly open = new Map<string, string>();

  /** Returns null while parts are missing, then the call. */
  add(input: unknown): Result<AssembledCall | null> {
    const parsed = parseInput(callPartSchema, input);
    if (!parsed.ok) return parsed;
    const { id, call, at, of, text } = parsed.data;
    const before = at === 0 ? '' : this.open.get(id);
    this.open.delete(id);
    if (before === undefined || before.length !== at || at + text.length > of)
      return fail('invalid_input', 'at: must be where the part before it ended.', { field: 'at' });
    const json = before + text;
    if (json.length === of) return parsedCall(call, json);
    if (text === '') return fail('invalid_input', 'text: must not be empty.', { field: 'text' });
    const [oldest] = this.open.keys();
    if (oldest !== undefined && this.open.size >= MAX_OPEN_CALLS) this.open.delete(oldest);
    this.open.set(id, json);
    return ok(null);
  }
}

function parsedCall(name: string, text: string): Result<AssembledCall> {
  try {
    return ok({ name, input: JSON.parse(text) as unknown });
  } catch {
    return fail('invalid_input', 'text: must be JSON once it is whole.', { field: 'text' });
  }
}
