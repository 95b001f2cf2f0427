import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CappedPattern } from './cappedPatterns.ts';
import { inSource, type Node, placeOf, syntaxOf, walk } from './source.ts';
import { root } from './tools.ts';

/** The regular expressions of `src`, and for each the result of a checker for super-linear backtracking. */

export interface Pattern {
  /** `/a+b/gi` */
  literal: string;
  pattern: string;
  flags: string;
  /** `src/shared/money/money.ts:12` */
  place: string;
}

/** `new RegExp(…)`, whose pattern is not seen here. */
export interface Construction {
  source: string;
  place: string;
}

interface PatternNode extends Node {
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

export function patternsIn(file: string, text: string): { literals: Pattern[]; constructions: Construction[] } {
  const literals: Pattern[] = [];
  const constructions: Construction[] = [];
  const visit = (node: PatternNode): void => {
    const place = placeOf(file, text, node);
    if (node.type === 'Literal' && node.regex) {
      const { pattern, flags } = node.regex;
      literals.push({ literal: `/${pattern}/${flags}`, pattern, flags, place });
    }
    if (/^(New|Call)Expression$/.test(node.type) && node.callee?.name === 'RegExp')
      constructions.push({ source: text.slice(node.start, node.end), place });
  };
  walk(syntaxOf(file, text), visit);
  return { literals, constructions };
}

/** Of shipped code, without tests. */
export function patternsOfSource(): { literals: Pattern[]; constructions: Construction[] } {
  const found = inSource(patternsIn);
  return {
    literals: found.flatMap(({ literals }) => literals),
    constructions: found.flatMap(({ constructions }) => constructions),
  };
}

/** `safe`, how work grows with the input (`2nd degree polynomial`, `exponential`), or `unknown`. */
export type Verdict = string;
export type Verdicts = Record<string, Verdict>;

const VERDICTS = join(import.meta.dirname, 'patternVerdicts.json');

/** Results for the present version of the checker. */
export function knownVerdicts(): Verdicts {
  const stored = Object.entries(JSON.parse(readFileSync(VERDICTS, 'utf8')) as Record<string, string>);
  return Object.fromEntries(stored.flatMap(([literal, line]) => sealedVerdict(literal, line) ?? []));
}

export function writeVerdicts(verdicts: Verdicts): void {
  const sorted = Object.entries(verdicts).sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([literal, verdict]) => [literal, `${verdict} #${sealOf(literal, verdict)}`]);
  writeFileSync(VERDICTS, `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`);
}

/** The literal with its result, if its line is one that `writeVerdicts` writes. */
export function sealedVerdict(literal: string, line: string): [string, Verdict][] | undefined {
  const [verdict = '', seal] = line.split(' #');
  return seal === sealOf(literal, verdict) ? [[literal, verdict]] : undefined;
}

/** A hash of the checker, its limits, the expression and its result: a line written by hand does not have it. */
export const sealOf = (literal: string, verdict: Verdict): string =>
  createHash('sha256')
    .update(JSON.stringify([CHECKER, LIMITS, literal, verdict]))
    .digest('hex')
    .slice(0, 16);

/**
 * The result of `recheck`. Its search is limited by steps, not time, so that it is the same on every machine; it may take seconds, so
 * results are stored in a file.
 */
export async function verdictOf({ pattern, flags }: Pick<Pattern, 'pattern' | 'flags'>): Promise<Verdict> {
  // Plain JavaScript: no Java and no native program.
  process.env.RECHECK_BACKEND = 'pure';
  const { checkSync } = await import('recheck');
  const found = checkSync(pattern, flags, LIMITS);
  if (found.status === 'vulnerable') return found.complexity.summary.replace(' (fuzz)', '');
  return found.status;
}

/** Steps, not time, limit the search. */
const LIMITS = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null, randomSeed: 1 };

/** Another version may judge otherwise. */
const CHECKER = JSON.parse(readFileSync(join(root, 'node_modules/recheck/package.json'), 'utf8')).version as string;

interface Syntax extends PatternNode {
  id?: Syntax;
  init?: Syntax | null;
  name?: string;
  value?: unknown;
}

/** Where `text`, the file of a capped pattern, fails to show that each function using it limits its input by `limit`. */
export function capFaults(text: string, { literal, file, limit, cap }: CappedPattern): string[] {
  const nodes: Syntax[] = [];
  walk(syntaxOf(file, text), (node) => nodes.push(node));
  const isPattern = ({ regex }: Syntax): boolean =>
    regex !== undefined && `/${regex.pattern}/${regex.flags}` === literal;
  if (!nodes.some(isPattern)) return ['it is not there any more'];
  const constants = nodes.filter(({ type }) => type === 'VariableDeclarator');
  const value = constants.find(({ id }) => id?.name === limit)?.init?.value;
  if (value !== cap) return [`${limit} is ${value === undefined ? 'not there any more' : String(value)}`];
  // A named pattern is used wherever its name is.
  const named = constants.filter(({ init }) => init && isPattern(init));
  const isDeclared = (node: Syntax): boolean => named.some(({ id, init }) => node === id || node === init);
  const isUse = (node: Syntax): boolean =>
    isPattern(node) || (node.type === 'Identifier' && named.some(({ id }) => id?.name === node.name));
  const functions = nodes.filter(({ type }) => /Function/.test(type));
  const isCapped = (use: Syntax): boolean =>
    functions.some(({ start, end }) => start < use.start && use.end < end && caps(text.slice(start, end), limit));
  return nodes
    .filter((node) => isUse(node) && !isDeclared(node) && !isCapped(node))
    .map((use) => `${placeOf(file, text, use)}: its input is not cut to ${limit}`);
}

const caps = (source: string, limit: string): boolean =>
  source.includes(`.slice(0, ${limit})`) || source.includes(`.length > ${limit}`);
