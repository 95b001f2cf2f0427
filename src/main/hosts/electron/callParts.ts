import { callPartSchema } from '../../../shared/callParts.ts';
import { fail, ok, parseInput, type Result } from '../../../shared/result.ts';

const MOST_OPEN = 8;

interface Whole {
  name: string;
  input: unknown;
}

/** Puts the parts of large calls together. A page that stops in the middle leaves at most a few of them behind. */
export class CallParts {
  private readonly open = new Map<string, string>();

  /** Null while there is more to come, then the call. */
  add(input: unknown): Result<Whole | null> {
    const parsed = parseInput(callPartSchema, input);
    if (!parsed.ok) return parsed;
    const { id, call, at, of, text } = parsed.data;
    const before = at === 0 ? '' : this.open.get(id);
    this.open.delete(id);
    if (before === undefined || before.length !== at || at + text.length > of)
      return fail('invalid_input', 'at: must be where the part before it ended.', { field: 'at' });
    const whole = before + text;
    if (whole.length === of) return wholeOf(call, whole);
    if (text === '') return fail('invalid_input', 'text: must not be empty.', { field: 'text' });
    const [oldest] = this.open.keys();
    if (oldest !== undefined && this.open.size >= MOST_OPEN) this.open.delete(oldest);
    this.open.set(id, whole);
    return ok(null);
  }
}

function wholeOf(name: string, text: string): Result<Whole> {
  try {
    return ok({ name, input: JSON.parse(text) as unknown });
  } catch {
    return fail('invalid_input', 'text: must be JSON once it is whole.', { field: 'text' });
  }
}
