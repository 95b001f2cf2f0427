import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';

/** Styles are global: a name that two features begin their rules with changes one by the other. */

const renderer = join(import.meta.dirname, '..', '..', 'src', 'renderer');

/** The first class of each selector of a stylesheet. */
function firstClasses(path: string): string[] {
  const css = readFileSync(join(renderer, path), 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = [...css.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
  return selectors.flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []);
}

it('no class is styled by two features, but those of the common parts', () => {
  const common = new Set(globSync('ui/**/*.css', { cwd: renderer }).flatMap(firstClasses));
  const owners = new Map<string, Set<string>>();
  for (const path of globSync('features/**/*.css', { cwd: renderer })) {
    const feature = path.split(sep)[1] ?? '';
    for (const name of firstClasses(path)) owners.set(name, (owners.get(name) ?? new Set()).add(feature));
  }
  expect(owners.size).toBeGreaterThan(300);
  const shared = [...owners].filter(([name, features]) => features.size > 1 && !common.has(name));
  expect(shared.map(([name, features]) => `${name}: ${[...features].sort().join(', ')}`)).toEqual([]);
});
