import { z } from 'zod';
import { DEFECTS } from './clipDefects.ts';

/**
 * Faults, scripted by a JSON file (`--faults FILE`) or at run time (`PUT /__sandbox/faults`). The file is a list of rules (or
 * `{ "rules": [...] }`); the first rule that matches a request acts on it, and only that one.
 *
 *     [{ "match": { "endpoint": "video", "nth": 2 }, "action": { "kind": "drop", "when": "after" } },
 *      { "match": { "endpoint": "chat", "promptIncludes": "storm" }, "action": { "kind": "truncate", "events": 3 } }]
 *
 * `match` (every part given must hold; an empty match holds always)
 * - `endpoint`        `chat` `video` `imagine` `edits` `fetch` `operation` `media` `models` `cancel`
 * - `promptIncludes`  words of the prompt, any case
 * - `nth`             only the nth request that matches the rest (from 1)
 * - `every`           every nth of them
 * - `times`           at most so many times
 *
 * `action`
 * - `{ kind: "drop", when }`        the connection is destroyed: `before` (not accepted, not billed), `during` (accepted and billed; half
 *                                   of the answer is sent), `after` (accepted and billed; nothing is answered)
 * - `{ kind: "stall", ms? }`        nothing is answered, for `ms` or for ever; then the connection is destroyed. Accepted and billed
 * - `{ kind: "delay", ms, before? }` the answer comes late (`before: true` accepts late as well)
 * - `{ kind: "status", status, retryAfter?, headers?, body?, as? }`  refused with that status; `as` is `json` (default) `html` `empty`;
 *                                   `accept: true` does and bills the work all the same (a gateway's 504)
 * - `{ kind: "malformed" }`         accepted and billed; the answer is cut JSON with status 200
 * - `{ kind: "truncate", events? }` accepted and billed; a stream ends cleanly after so many events (2), other answers at half
 * - `{ kind: "filtered", samples? }` the filter takes all clips of a video, or so many, or the picture
 * - `{ kind: "failure", message? }` the operation or task is accepted and fails (not billed)
 * - `{ kind: "defect", defects }`  the clip is made and billed, and is faulty: a list of `{ what, from?, to? }` in seconds of the clip, `what`
 *                                   being `black` `frozen` `doubled` `cut` `shifted` `silence` `clipping`
 * - `{ kind: "slow", factor }`      the work takes so many times longer
 * - `{ kind: "hook", what, ms? }`   webhooks of this task are `repeated`, `forged`, `late` (by `ms`, 5000) or `omitted`
 *
 * Times are in milliseconds and are not scaled by `--speed`.
 */
export const ENDPOINTS = [
  'chat',
  'video',
  'imagine',
  'edits',
  'fetch',
  'operation',
  'media',
  'models',
  'cancel',
] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

const positive = z.int('must be a whole number').min(1, 'must be 1 or more');
const milliseconds = z
  .number('must be milliseconds')
  .min(0, 'must be 0 or more')
  .max(86_400_000, 'must be at most a day');

const clipSecond = z.number('must be seconds').min(0, 'must be 0 or more').max(600, 'must be at most 600');

const matchSchema = z.strictObject({
  endpoint: z.enum(ENDPOINTS, `must be one of ${ENDPOINTS.join(', ')}`).optional(),
  promptIncludes: z.string('must be text').min(1, 'must not be empty').optional(),
  nth: positive.optional(),
  every: positive.optional(),
  times: positive.optional(),
});

const actionSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('drop'),
      when: z.enum(['before', 'during', 'after'], 'must be before, during or after'),
    }),
    z.strictObject({ kind: z.literal('stall'), ms: milliseconds.optional() }),
    z.strictObject({ kind: z.literal('delay'), ms: milliseconds, before: z.boolean().optional() }),
    z.strictObject({
      kind: z.literal('status'),
      status: z.int().min(200, 'must be 200 to 599').max(599, 'must be 200 to 599'),
      retryAfter: z.union([z.string(), z.number()]).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
      as: z.enum(['json', 'html', 'empty'], 'must be json, html or empty').optional(),
      accept: z.boolean().optional(),
    }),
    z.strictObject({ kind: z.literal('malformed') }),
    z.strictObject({ kind: z.literal('truncate'), events: positive.optional() }),
    z.strictObject({
      kind: z.literal('filtered'),
      samples: z.union([z.literal('all'), positive.max(4, 'must be 1 to 4')]).optional(),
    }),
    z.strictObject({ kind: z.literal('failure'), message: z.string().optional() }),
    z.strictObject({
      kind: z.literal('defect'),
      defects: z
        .array(
          z.strictObject({
            what: z.enum(DEFECTS, `must be one of ${DEFECTS.join(', ')}`),
            from: clipSecond.optional(),
            to: clipSecond.optional(),
          }),
        )
        .min(1)
        .max(20),
    }),
    z.strictObject({ kind: z.literal('slow'), factor: z.number().positive('must be more than 0') }),
    z.strictObject({
      kind: z.literal('hook'),
      what: z.enum(['repeated', 'forged', 'late', 'omitted'], 'must be repeated, forged, late or omitted'),
      ms: milliseconds.optional(),
    }),
  ],
  'must have a kind: drop, stall, delay, status, malformed, truncate, filtered, failure, defect, slow or hook',
);

const ruleSchema = z.strictObject({ match: matchSchema.default({}), action: actionSchema });
const listSchema = z.array(ruleSchema, 'must be a list of rules');

export type FaultRule = z.input<typeof ruleSchema>;
export type FaultAction = z.infer<typeof actionSchema>;

/** Reads a fault script. Errors name the field and the rule: `[2].action.status: must be 200 to 599`. */
export function parseFaults(value: unknown): { ok: true; rules: FaultRule[] } | { ok: false; message: string } {
  const wrapped = typeof value === 'object' && value !== null && 'rules' in value ? value.rules : value;
  const read = listSchema.safeParse(wrapped);
  if (read.success) return { ok: true, rules: read.data };
  const issue = read.error.issues[0];
  const path = (issue?.path ?? [])
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return { ok: false, message: `faults${path}: ${issue?.message ?? 'are not understood'}` };
}

/** The active rules, with how often each has matched and acted. */
export class Faults {
  #rules: { rule: z.infer<typeof ruleSchema>; matched: number; acted: number }[] = [];

  constructor(rules: FaultRule[]) {
    this.set(rules);
  }

  set(rules: FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule: ruleSchema.parse(rule), matched: 0, acted: 0 }));
  }

  /** The action for this request, or null. Every matching rule counts the request; the first whose turn it is acts. */
  take(endpoint: Endpoint, prompt: string): FaultAction | null {
    let action: FaultAction | null = null;
    for (const entry of this.#rules) {
      const { match } = entry.rule;
      if (match.endpoint && match.endpoint !== endpoint) continue;
      if (match.promptIncludes && !prompt.toLowerCase().includes(match.promptIncludes.toLowerCase())) continue;
      entry.matched += 1;
      if (action || !isItsTurn(entry.matched, match) || entry.acted >= (match.times ?? Infinity)) continue;
      entry.acted += 1;
      action = entry.rule.action;
    }
    return action;
  }
}

function isItsTurn(matched: number, match: z.infer<typeof matchSchema>): boolean {
  if (match.nth !== undefined) return matched === match.nth;
  return match.every === undefined || matched % match.every === 0;
}
