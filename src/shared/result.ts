import { z } from 'zod';
import { MAX_DEPTH, tooDeepAt } from './depth.ts';

/** The answer of every call of the contract: a value or an error with a code, never an exception. */
export type Result<T> = { ok: true; data: T } | { ok: false; error: StudioError };

/**
 * Codes are constants; `message` is one sentence for people. `data.field` names the invalid field, if there is one; `data.reasons` lists
 * all of them.
 */
export const ERROR_CODES = [
  'invalid_input',
  'not_found',
  'conflict',
  'wrong_state',
  /** A film was to be exported whole, and a shot of it has nothing to show. */
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
  /** Its path, `config.durationSeconds`; empty where it is the whole. */
  field: string;
  /** The rule it breaks, without the field's name: "must be 4, 6 or 8", "choose a first frame." */
  message: string;
}

/**
 * The error for a list of reasons; its message is the first one, with the name of its field. `within` is the path of what the reasons
 * are about, such as `requests.1`.
 */
export function refuse([first, ...rest]: [Reason, ...Reason[]], within?: string): Result<never> {
  if (within === undefined)
    return fail('invalid_input', withField(first), { field: first.field, reasons: [first, ...rest] });
  const reasons = [first, ...rest].map(({ field, message }) => ({ field: `${within}.${field}`, message }));
  return fail('invalid_input', `${within}: ${withField(first)}`, { field: `${within}.${first.field}`, reasons });
}

const withField = ({ field, message }: Reason): string => (field === '' ? message : `${field}: ${message}`);

/** Parses with a schema; faults become reasons. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>> {
  const deep = tooDeepAt(input);
  if (deep !== undefined)
    return refuse([{ field: deep, message: `must not nest more than ${MAX_DEPTH} levels deep.` }]);
  const parsed = schema.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  const [first, ...rest] = parsed.error.issues.map(reasonOf);
  return refuse([first ?? { field: '', message: 'The input is not valid.' }, ...rest]);
}

function reasonOf(issue: z.core.$ZodIssue): Reason {
  if (issue.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0] ?? ''].join('.');
    return { field, message: 'there is no such field here.' };
  }
  const inner = issue.code === 'invalid_union' ? deepestUnionIssue(issue) : undefined;
  const path = [...issue.path, ...(inner?.path ?? [])].map(String).join('.');
  return { field: path, message: inner?.message ?? issue.message };
}

/** Of a union's branches, the one that matched furthest is the intended one. */
function deepestUnionIssue(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | undefined {
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1));
  return branches.sort((a, b) => b.path.length - a.path.length)[0];
}
