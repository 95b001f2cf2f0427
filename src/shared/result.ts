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

/** One fault of an input or a draft: the field and the rule it breaks, in one sentence. */
export interface Reason {
  field: string;
  message: string;
}

/** The error for a list of reasons; the first one is the sentence that is shown. */
export function refuse(reasons: [Reason, ...Reason[]]): Result<never> {
  const [first] = reasons;
  return fail('invalid_input', first.message, { field: first.field, reasons });
}

/** Parses with a schema; faults become reasons that name the path and the rule. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): Result<z.output<S>> {
  const deep = tooDeepAt(input);
  if (deep !== undefined)
    return refuse([{ field: deep, message: `${deep}: must not nest more than ${MAX_DEPTH} levels deep.` }]);
  const parsed = schema.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  const [first, ...rest] = parsed.error.issues.map(reasonOf);
  return refuse([first ?? { field: '', message: 'The input is not valid.' }, ...rest]);
}

function reasonOf(issue: z.core.$ZodIssue): Reason {
  if (issue.code === 'unrecognized_keys') {
    const field = [...issue.path, issue.keys[0] ?? ''].join('.');
    return { field, message: `${field}: there is no such field here.` };
  }
  const inner = issue.code === 'invalid_union' ? deepestUnionIssue(issue) : undefined;
  const path = [...issue.path, ...(inner?.path ?? [])].map(String).join('.');
  const text = inner?.message ?? issue.message;
  return { field: path, message: path === '' ? text : `${path}: ${text}` };
}

/** Of a union's branches, the one that matched furthest is the intended one. */
function deepestUnionIssue(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | undefined {
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1));
  return branches.sort((a, b) => b.path.length - a.path.length)[0];
}
