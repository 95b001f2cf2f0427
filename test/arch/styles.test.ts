import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Each feature has CSS Modules; shared parts in `ui/css` are global, and tokens define sizes and radii. */

const renderer = join(import.meta.dirname, '..', '..', 'src', 'renderer');
const read = (path: string): string => readFileSync(join(renderer, path), 'utf8');
const sheets = globSync('**/*.css', { cwd: renderer });
const modules = sheets.filter((path) => path.endsWith('.module.css'));
const sources = globSync('**/*.{ts,tsx}', { cwd: renderer }).filter((path) => !/\.test\.tsx?$|^testing/.test(path));

/** The selectors of a stylesheet, without what it takes from the common parts. */
function selectorsOf(path: string): string[] {
  const css = read(path).replace(/\/\*.*?\*\/|:global\([^)]*\)|"[^"]*"/gs, '');
  return [...css.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector.trim()).filter((one) => !/^@/.test(one));
}

const classesOf = (path: string): Set<string> =>
  new Set(selectorsOf(path).flatMap((list) => [...list.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name)));

/** What the sources read of each CSS Module. */
function readOfModules(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of sources) {
    const text = read(path);
    for (const [, name = '', file = ''] of text.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)';$/gm)) {
      const uses = [...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, one = '']) => one);
      const module = join(path, '..', file);
      found.set(module, new Set([...(found.get(module) ?? []), ...uses]));
    }
  }
  return found;
}

it('every class of a CSS Module is used, and every class that is used is in it', () => {
  expect(modules.length).toBeGreaterThan(40);
  const used = readOfModules();
  const wrong = modules.flatMap((path) => {
    const [written, asked] = [classesOf(path), used.get(path) ?? new Set<string>()];
    return [
      ...[...written].filter((name) => !asked.has(name)).map((name) => `${path}: nobody uses .${name}`),
      ...[...asked].filter((name) => !written.has(name)).map((name) => `${path}: there is no .${name}`),
    ];
  });
  expect(wrong).toEqual([]);
});

it('every rule of a CSS Module is for a class of its own, or for its section of a page', () => {
  const own = /\.[a-zA-Z]|data-section|^(:root|body|from|to|\d+%)$/;
  const wrong = modules.flatMap((path) =>
    selectorsOf(path)
      .flatMap((list) => list.split(/,(?![^(]*\))/))
      .filter((one) => !own.test(one.trim()))
      .map((one) => `${path}: ${one.trim()}`),
  );
  expect(wrong).toEqual([]);
});

it('no feature has global styles', () => {
  expect(sheets.filter((path) => !path.startsWith('ui') && !path.endsWith('.module.css'))).toEqual([]);
});

it('sizes, weights and corners of text and boxes are tokens', () => {
  const typed = /(?:font-size|font-weight|border-radius): *[^;]*\d(?:px)?\b(?!%)/;
  const lines = sheets
    .filter((path) => !path.endsWith('tokens.css'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .map((line) => [path, line.trim()] as const),
    );
  const wrong = lines.filter(([, line]) => typed.test(line.replace(/var\([^)]*\)|\b0\b|50%/g, '')));
  expect(wrong.map(([path, line]) => `${path}: ${line}`)).toEqual([]);
});
