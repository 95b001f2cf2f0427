import { type Decimal, isNegative, parseDecimal } from '../../../../shared/decimal.ts';
import { type Json, textOf } from '../json/json.ts';

/** What a listed price is for: so many tokens, so many seconds, or one thing. */
export interface PriceUnit {
  of: 'token' | 'second' | 'video' | 'image' | 'request';
  count: number;
}

const UNITS: [RegExp, PriceUnit][] = [
  [
    /^(1 ?)?(m|mm|mil|million|1 ?000 ?000|1e6)( ?(input|output|prompt|completion))? ?(tokens?|toks?)$/i,
    { of: 'token', count: 1_000_000 },
  ],
  [/^mtok(en)?s?$/i, { of: 'token', count: 1_000_000 }],
  // A small m alone may be a minute.
  [/^1? ?(M|million)$/, { of: 'token', count: 1_000_000 }],
  [/^(1 ?)?(k|thousand|1 ?000)( ?(input|output|prompt|completion))? ?(tokens?|toks?)$/i, { of: 'token', count: 1_000 }],
  [/^ktok(en)?s?$/i, { of: 'token', count: 1_000 }],
  [/^(1 )?((input|output|prompt|completion) )?(tokens?|toks?)$/i, { of: 'token', count: 1 }],
  [/^(1 )?((output|video|generated) )*(s|secs?|seconds?)$/i, { of: 'second', count: 1 }],
  [/^(1 )?((output|video|generated) )*(mins?|minutes?)$/i, { of: 'second', count: 60 }],
  [/^(1 )?(output )?(videos?|clips?)$/i, { of: 'video', count: 1 }],
  [/^(1 )?((output|input|generated) )?(images?|pictures?|imgs?)$/i, { of: 'image', count: 1 }],
  [/^(1 )?(api )?(requests?|calls?|runs?|generations?|tasks?|times?|use)$/i, { of: 'request', count: 1 }],
];

/** The unit that a text names, `per 1M tokens` or `USD/second`; undefined for one that is not known, which is never guessed. */
export function unitOf(text: string): PriceUnit | undefined {
  if (text.length > LONGEST_AMOUNT) return undefined;
  const plain = text
    .trim()
    .replace(/^(usd|us\$|\$|dollars?)/i, '')
    .replace(/[_-]+/g, ' ')
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/^\s*(\/|per\b)/i, '')
    .replace(/\bper\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return UNITS.find(([pattern]) => pattern.test(plain))?.[1];
}

export type Amount = { amount: Decimal; unit?: PriceUnit } | { why: string };

const LONGEST_AMOUNT = 100;
/** What stands before the figure, the figure, what stands behind it, and what it is for. */
const AMOUNT = /^([^\d.,+-]*)([+-]?[\d.,]+(?:e[+-]?\d+)?)([^\d/]*?)(?:(?:\/|\bper\b)(.+))?$/iu;

const DOLLARS = /^(us\$?|usd|us dollars?|\$|dollars?)?$/i;

/** An amount as services write one: a number, `"0.0000015"`, `"$0.27"`, `"0.40 USD / second"`. Other currencies are refused, as is what is no amount. */
export function amountOf(value: Json): Amount {
  const text = textOf(value);
  if (text === undefined) return { why: 'is no amount' };
  const match = text.length > LONGEST_AMOUNT ? null : AMOUNT.exec(text.replace(/\s+/g, ' '));
  if (!match) return { why: `is no amount: “${text.slice(0, 40)}”` };
  const [, before = '', digits = '', after = '', per] = match;
  if (!DOLLARS.test(before.trim()) || !DOLLARS.test(after.trim()))
    return { why: `is not in dollars: “${text.slice(0, 40)}”` };
  const amount = parseDecimal(/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits);
  if (!amount) return { why: `is no amount: “${text.slice(0, 40)}”` };
  if (isNegative(amount)) return { why: 'is negative' };
  if (per === undefined) return { amount };
  const unit = unitOf(per);
  return unit ? { amount, unit } : { why: `has a unit that is not known: “${per.trim().slice(0, 40)}”` };
}
