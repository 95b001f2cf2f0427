import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Node, placeOf, sourceFiles, walk } from './source.ts';
import { root } from './tools.ts';

/** Functions that do not fit on a screen. Every line between the braces counts: JSX, comments, objects and nested functions. */
const MOST_LINES = 60;

interface FunctionNode extends Node {
  id?: { name?: string } | null;
  body?: Node | null;
}

/** `src/…ts:12: 61 lines in name`, for each of one file. */
export function longFunctionsIn(file: string, text: string): string[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: string[] = [];
  walk(program, (node: FunctionNode) => {
    if (!/Function(Declaration|Expression)$/.test(node.type) || !node.body) return;
    const lines = linesOf(text.slice(node.body.start, node.body.end));
    if (lines > MOST_LINES)
      found.push(`${placeOf(file, text, node)}: ${lines} lines in ${node.id?.name ?? 'a function'}`);
  });
  return found;
}

/** For a body in braces, its content. */
const linesOf = (body: string): number => body.split('\n').length - (body.startsWith('{') ? 2 : 0);

export const longFunctions = (): string[] =>
  sourceFiles().flatMap((file) => longFunctionsIn(file, readFileSync(join(root, file), 'utf8')));
