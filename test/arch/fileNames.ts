import { sourceFiles } from './source.ts';

/** Files of a module are found by name, so each name is unique, whatever its folder, extension or case. */

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
