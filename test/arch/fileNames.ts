import { sourceFiles } from './source.ts';

/** A module is searched by the names of its files: each name is there once, whatever its folder, its ending or its capitals. */

/** `src/main/core/jobs`, `src/main/hosts/electron`, `src/renderer/features/queue`, `src/shared`. */
const MODULE =
  /^src\/(?:main\/(?:core|hosts)\/[^/]+|renderer\/features\/[^/]+|main\/[^/]+|renderer\/[^/]+|shared\/[^/]+|[^/]+)(?=\/)/;

/** `src/main/core/jobs: limits.ts, limits/limits.ts`, for each name that a module has several times; every folder may have an index. */
export function repeatedNames(files: readonly string[]): string[] {
  const named = Object.groupBy(files, (file) => `${moduleOf(file)}: ${nameOf(file)}`);
  return Object.values(named).flatMap((alike = []) => {
    const [first] = alike;
    if (first === undefined || alike.length === 1 || nameOf(first) === 'index') return [];
    return [`${moduleOf(first)}: ${alike.map((file) => file.slice(moduleOf(file).length + 1)).join(', ')}`];
  });
}

const moduleOf = (file: string): string => MODULE.exec(file)?.[0] ?? '';
const nameOf = (file: string): string => (file.split('/').at(-1) ?? '').replace(/\.\w+$/, '').toLowerCase();

export const repeatedNamesOfSource = (): string[] => repeatedNames(sourceFiles());
