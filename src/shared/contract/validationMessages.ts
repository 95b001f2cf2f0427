import type { z } from 'zod';
import { formatCount, formatLocale, languageTag } from '../text/texts.ts';

/** Schema rules in words that follow the name of a field: `must be text`. A schema's own words win. */

const OR = new Intl.ListFormat(formatLocale(), { type: 'disjunction' });

/** `must be 'a', 'b' or 'c'`. */
export const mustBeOneOf = (values: readonly unknown[]): string =>
  `must be ${OR.format(values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))))}`;

/** The type that a schema expects, as the end of "must be". */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object with named fields',
  record: 'an object with named fields',
  null: 'null',
};

/** The unit of a length; others are compared as numbers. */
const COUNTED: Readonly<Record<string, [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['field', 'fields'],
  record: ['field', 'fields'],
};

/** For a rule without words; a test proves that no call needs it. */
export const NO_WORDS = 'is not in a form that is known here';

const RULE = /^(must|needs?|is|are|has|was|names|cannot|contains)\b/;

/**
 * Whether a message continues the name of a field. Only English messages show this; in other languages every message follows the field
 * name.
 */
export const isRule = (message: string): boolean => languageTag() !== 'en' || RULE.test(message);

/** The broken rule: the `error` of every parse whose faults people read. */
export function ruleOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeRule(issue.expected, issue.input);
    case 'too_big':
      return sizeRule(issue.origin, Number(issue.maximum), limitOf(issue, 'most', 'under'));
    case 'too_small':
      return sizeRule(issue.origin, Number(issue.minimum), limitOf(issue, 'least', 'over'));
    case 'invalid_value':
      return mustBeOneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? mustBeOneOf(issue.options) : NO_WORDS;
    case 'invalid_format':
      return issue.format === 'base64' ? 'must be base64' : NO_WORDS;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return NO_WORDS;
  }
}

function typeRule(expected: string, input: unknown): string {
  const type = TYPES[expected];
  if (type === undefined) return expected === 'never' || expected === 'undefined' ? 'must be left out' : NO_WORDS;
  return input === undefined ? `is missing; it must be ${type}` : `must be ${type}`;
}

type Limit = 'exactly' | 'most' | 'under' | 'least' | 'over';

function limitOf(
  { exact, inclusive }: { exact?: boolean | undefined; inclusive?: boolean | undefined },
  within: Limit,
  beyond: Limit,
): Limit {
  if (exact) return 'exactly';
  return inclusive ? within : beyond;
}

const COUNTS: Record<Limit, string> = {
  exactly: 'exactly',
  most: 'at most',
  under: 'fewer than',
  least: 'at least',
  over: 'more than',
};
const AMOUNTS: Record<Limit, string> = { ...COUNTS, exactly: '', under: 'less than' };

function sizeRule(origin: string, limit: number, is: Limit): string {
  const counted = COUNTED[origin];
  const number = formatCount(limit);
  if (!counted) return `must be ${AMOUNTS[is]} ${number}`.replace('  ', ' ');
  if (is === 'least' && limit === 1)
    return origin === 'string' ? 'must not be empty' : `needs at least one ${counted[0]}`;
  return `must have ${COUNTS[is]} ${number} ${limit === 1 ? counted[0] : counted[1]}`;
}
