import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { namedPackages, noticesOf, packedPackages, readNotices } from './notices.ts';
import { sourceFiles } from './source.ts';
import { root } from './tools.ts';

/** `npm run notices` updates the page; `test/contract/package.test.ts` proves that it covers the build. */

it('says of each package what its version and its licence are', () => {
  const page = readNotices();
  expect(noticesOf([...packedPackages(), ...namedPackages(page)])).toBe(page);
});

it('names every package that the program imports', () => {
  const named = new Set(namedPackages(readNotices()));
  const shipped = sourceFiles().filter((file) => !/\/testing\/|testHarness/.test(file));
  const imported = shipped.flatMap((file) =>
    parseSync(file, readFileSync(join(root, file), 'utf8')).module.staticImports.flatMap(
      ({ moduleRequest, entries }) =>
        entries.length > 0 && entries.every(({ isType }) => isType) ? [] : [moduleRequest.value],
    ),
  );
  const packages = new Set(imported.flatMap((from) => /^(@[\w-]+\/)?\w[\w.-]*(?=$|\/)/.exec(from)?.[0] ?? []));
  expect(packages.size).toBeGreaterThan(20);
  expect([...packages].filter((name) => !named.has(`node_modules/${name}`))).toEqual([]);
});
