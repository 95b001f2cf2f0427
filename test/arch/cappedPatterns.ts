/**
 * Regular expressions whose work may grow faster than their input, each with the constant that limits its input, in its own file. All others
 * in `src` are linear. `capFaults` checks that the limit is applied where the pattern is used.
 */
export interface CappedPattern {
  literal: string;
  file: string;
  /** The constant's name, and its value in characters. */
  limit: string;
  cap: number;
}

export const CAPPED: CappedPattern[] = [
  {
    literal: String.raw`/(\d+(?:\.\d+)?)\s*[%％]/`,
    file: 'src/main/core/gateway/tasks/status.ts',
    limit: 'MAX_PROGRESS_LENGTH',
    cap: 200,
  },
  {
    literal: String.raw`/(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|毫秒|秒|分钟?|小时)(?![a-z])/gi`,
    file: 'src/main/core/gateway/errors/retryAfter.ts',
    limit: 'MAX_DURATION_LENGTH',
    cap: 1_000,
  },
  {
    literal: String.raw`/(?:again|retry|wait|available|reset\w*)\s+(?:in|after|for|about)?\s*((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?){1,3})/i`,
    file: 'src/main/core/gateway/errors/retryAfter.ts',
    limit: 'MAX_SENTENCE_LENGTH',
    cap: 5_000,
  },
  {
    literal: String.raw`/(\d+(?:\.\d+)?\s*(?:毫秒|秒|分钟?|小时))\s*(?:之?后|内)/`,
    file: 'src/main/core/gateway/errors/retryAfter.ts',
    limit: 'MAX_SENTENCE_LENGTH',
    cap: 5_000,
  },
];

/** Patterns composed at run time, by file and number: each is a list of words, or a copy of a literal. */
export const CONSTRUCTED: Record<string, { count: number; why: string }> = {
  'src/main/core/gateway/addresses/links.ts': {
    count: 2,
    why: 'copies, with a place of their own, of literals that are judged',
  },
  'src/main/core/secrets/scrubber.ts': { count: 1, why: 'secrets that stand for themselves' },
};
