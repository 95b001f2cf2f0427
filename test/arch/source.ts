import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, parseSync } from 'oxc-parser';
import { root } from './tools.ts';

/** The program's files and their syntax. */

export interface Node {
  type: string;
  start: number;
  end: number;
}

export function syntaxOf(file: string, text: string): Program {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const entry of value) walk(entry, visit);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && 'start' in value) visit(value as Node);
  for (const inner of Object.values(value)) walk(inner, visit);
}

/** Shipped code, without tests. */
export const sourceFiles = (): string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .sort();

export const inSource = <T>(check: (file: string, text: string) => T, isAsked = (_file: string) => true): T[] =>
  sourceFiles()
    .filter(isAsked)
    .map((file) => check(file, readFileSync(join(root, file), 'utf8')));

/** `src/shared/money/money.ts:12` */
export const placeOf = (file: string, text: string, { start }: Node): string =>
  `${file}:${text.slice(0, start).split('\n').length}`;
