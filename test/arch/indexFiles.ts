import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { sourceFiles } from './source.ts';
import { root } from './tools.ts';

/** The list of its folder: a new kind is a line there. */
const LISTS = ['src/main/core/jobs/kinds/index.ts'];

/** The statements of an index file that are not re-exports; a stylesheet may be imported. */
export function codeInIndex(text: string): string[] {
  const { body } = parseSync('index.tsx', text).program;
  return body.filter((statement) => !isReexport(statement)).map(({ start, end }) => text.slice(start, end));
}

const isReexport = (statement: { type: string; source?: unknown; specifiers?: readonly unknown[] }): boolean =>
  statement.type === 'ExportAllDeclaration' ||
  (statement.type === 'ExportNamedDeclaration' && Boolean(statement.source)) ||
  (statement.type === 'ImportDeclaration' && statement.specifiers?.length === 0);

export const indexFilesWithCode = (): string[] =>
  sourceFiles()
    .filter((file) => /\/index\.tsx?$/.test(file) && !LISTS.includes(file))
    .filter((file) => codeInIndex(readFileSync(join(root, file), 'utf8')).length > 0);
