/**
 * Regular expressions whose work may grow faster than their input, each with the most characters that it is given, and where that is
 * seen to. Everything else in `src` is linear.
 */
export const CAPPED: { literal: string; file: string; cap: number; why: string }[] = [
  {
    literal: String.raw`/^([^\d.,+-]*)([+-]?[\d.,]+(?:e[+-]?\d+)?)([^\d/]*?)(?:(?:\/|\bper\b)(.+))?$/iu`,
    file: 'src/main/core/gateway/account/priceQuotes.ts',
    cap: 100,
    why: 'amountOf looks at nothing longer than LONGEST_AMOUNT',
  },
  {
    literal: String.raw`/(\d+(?:\.\d+)?)\s*[%％]/`,
    file: 'src/main/core/gateway/tasks/status.ts',
    cap: 200,
    why: 'percentOf looks at LONGEST_PROGRESS characters',
  },
  {
    literal: String.raw`/(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|毫秒|秒|分钟?|小时)(?![a-z])/gi`,
    file: 'src/main/core/gateway/errors/retryAfter.ts',
    cap: 1_000,
    why: 'durationIn looks at LONGEST_DURATION characters',
  },
  {
    literal: String.raw`/(?:again|retry|wait|available|reset\w*)\s+(?:in|after|for|about)?\s*((?:\d+(?:\.\d+)?\s*[a-z]+[\s,]*(?:and\s+)?){1,3})/i`,
    file: 'src/main/core/gateway/errors/retryAfter.ts',
    cap: 5_000,
    why: 'spokenDelay looks at LONGEST_SPOKEN characters',
  },
  {
    literal: String.raw`/(\d+(?:\.\d+)?\s*(?:毫秒|秒|分钟?|小时))\s*(?:之?后|内)/`,
    file: 'src/main/core/gateway/errors/retryAfter.ts',
    cap: 5_000,
    why: 'spokenDelay looks at LONGEST_SPOKEN characters',
  },
];

/** Patterns that are put together when the program runs, by file and how many there are: each is a row of words, or a copy of a literal. */
export const CONSTRUCTED: Record<string, { count: number; why: string }> = {
  'src/main/core/gateway/addresses/links.ts': {
    count: 2,
    why: 'copies, with a place of their own, of literals that are judged',
  },
  'src/main/core/secrets/stream.ts': { count: 1, why: 'secrets that stand for themselves' },
  'src/renderer/features/settings/wirePreview.ts': { count: 1, why: 'words that stand for themselves' },
};
