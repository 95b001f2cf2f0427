import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEY_ACTIONS } from '../../src/renderer/app/keys/actions.ts';
import { root } from './tools.ts';

test('every listed shortcut does something: a page handles its action', () => {
  const folder = join(root, 'src', 'renderer');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.|keys[\\/]actions\.ts$/.test(name),
  );
  const code = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  // The pages' own shortcuts are named after the page: `page.${id}`.
  const unheard = Object.keys(KEY_ACTIONS).filter(
    (id) => !id.startsWith('page.') && ![`'${id}'`, `"${id}"`].some((quoted) => code.includes(quoted)),
  );
  expect(unheard).toEqual([]);
});
