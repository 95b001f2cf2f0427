import { z } from 'zod';
import { MAX_DEPTH, tooDeepAt } from '../text/depth.ts';
import { NOT_TEXT, nulAt } from '../text/nulCharacters.ts';
import { en } from '../text/texts.ts';
import { isRule, NO_WORDS, ruleOf } from './validationMessages.ts';

/** The answer of every call of the contract: a value or an error with a code, never an exception. */
export type Result<T> = { ok: true; data: T } | { ok: false; error: StudioError };

/** Codes are constants; `message` is one sentence for people. `data.field` names the invalid field, `data.reasons` lists all of them. */
export const ERROR_CODES = [
  'invalid_input',
  'not_found',
  'conflict',
  'wrong_state',
  /** A film to be exported whole has a shot without a clip. */
  'has_holes',
  'key_missing',
  'unsupported_media',
  'too_large',
  'disk_full',
  'store_unavailable',
  'unreachable',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const studioErrorSchema = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});
export type StudioError = z.infer<typeof studioErrorSchema>;

export const ok = <T>(data: T): Result<T> => ({ ok: true, data });

export const fail = (code: ErrorCode, message: string, data?: Record<string, unknown>): Result<never> => ({
  ok: false,
  error: data ? { code, message, data } : { code, message },
});

/** One fault of an input or a draft. */
export interface Reason {
  /** The path, `config.durationSeconds`; empty for the whole input. */
  field: string;
  /** The rule it breaks, without the field's name: "must be 4, 6 or 8", "choose a first frame." */
  message: string;
  /** The message is a whole sentence, not a rule. */
  isSentence?: true;
}

/**
 * The error for a list of reasons; its message is the first one with its field. `within`: the path that the reasons belong to, such as
 * `requests.1`.
 */
export function refuse([first, ...rest]: [Reason, ...Reason[]], within?: string): Result<never> {
  if (within === undefined)
    return fail('invalid_input', withField(first), { field: first.field, reasons: [first, ...rest] });
  const reasons = [first, ...rest].map(({ field, message }) => ({ field: `${within}.${field}`, message }));
  return fail('invalid_input', `${within}: ${withField(first)}`, { field: `${within}.${first.field}`, reasons });
}

const withField = ({ field, message }: Reason): string => (field === '' ? message : `${field}: ${message}`);

/** Parses input; each fault becomes a reason with a rule in words. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>> {
  const parsed = parseStored(schema, input);
  const nul = parsed.ok ? nulAt(schema, input) : undefined;
  return nul === undefined ? parsed : refuse([{ field: nul, message: NOT_TEXT }]);
}

/** The same for stored values of earlier versions. */
export function parseStored<S extends z.ZodType>(schema: S, kept: unknown): Result<z.output<S>> {
  const deep = tooDeepAt(kept);
  if (deep !== undefined)
    return refuse([{ field: deep, message: `must not nest more than ${MAX_DEPTH} levels deep.` }]);
  const parsed = schema.safeParse(kept, { error: ruleOf });
  if (parsed.success) return ok(parsed.data);
  const [first, ...rest] = parsed.error.issues.map((issue) => reasonOf(issue));
  return refuse([first ?? { field: '', message: en`The input is not valid.` }, ...rest]);
}

function reasonOf(issue: z.core.$ZodIssue, within: readonly PropertyKey[] = []): Reason {
  const path = [...within, ...issue.path];
  const inner = innerOf(issue);
  if (inner) return reasonOf(inner, issue.code === 'invalid_key' ? path.slice(0, -1) : path);
  const at = issue.code === 'unrecognized_keys' ? [...path, issue.keys[0] ?? ''] : path;
  const field = at.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return { field, message: en`there is no such field here.` };
  return field === '' && isRule(issue.message)
    ? { field, message: en`The input ${issue.message}.` }
    : { field, message: issue.message };
}

/** The fault to report for a union: that of the best fitting branch. */
function innerOf(issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined {
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') return issue.issues[0];
  if (issue.code !== 'invalid_union') return undefined;
  const [best, next] = issue.errors.toSorted(
    (one, other) => one.length - other.length || depthOf(other) - depthOf(one),
  );
  const isTie = next && best && next.length === best.length && depthOf(next) === depthOf(best);
  return isTie && issue.message !== NO_WORDS ? undefined : best?.[0];
}

const depthOf = ([first]: readonly z.core.$ZodIssue[]): number => first?.path.length ?? 0;
