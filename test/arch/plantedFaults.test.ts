import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCommands, root, runTool } from './tools.ts';

/** A gate that never fails proves nothing: each must refuse a fault of its kind in a small tree that it accepts otherwise. */

const CONFIGS = [
  'biome.json',
  '.gitignore',
  'tsconfig.base.json',
  'tsconfig.node.json',
  'tsconfig.web.json',
  '.dependency-cruiser.cjs',
  'knip.json',
  'package.json',
];

const TREE: Record<string, string> = {
  'src/main/hosts/launch/launch.ts': "import { double } from '../../../shared/double.ts';\n\nconsole.log(double(2));\n",
  'src/shared/double.ts': 'export const double = (value: number): number => value * 2;\n',
  'src/main/core/jobs/index.ts': "import { one } from './one.ts';\n\nexport const two = one + one;\n",
  'src/main/core/jobs/one.ts': 'export const one = 1;\n',
  'src/main/core/gateway/json/parse.ts': 'export const parsed = 1;\n',
  'src/main/core/gateway/chat/chat.ts': "import { parsed } from '../json/parse.ts';\n\nexport const chat = parsed;\n",
  'src/main/core/gateway/index.ts': "export { chat } from './chat/chat.ts';\n",
  'src/main/core/studio.ts':
    "import { chat } from './gateway/index.ts';\nimport { two } from './jobs/index.ts';\n\nexport const studio = two + chat;\n",
  'src/main/hosts/browser/start.ts': "import { studio } from '../../core/studio.ts';\n\nconsole.log(studio);\n",
  'src/renderer/words/states.ts': 'export const running = 1;\n',
  'src/renderer/words/index.ts': "export { running } from './states.ts';\n",
  'src/renderer/media/main.ts':
    "import { double } from '../../shared/double.ts';\nimport { running } from '../words/index.ts';\n\ndocument.title = String(double(running));\n",
};

let folder: string;
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dailies-gates-'));
  for (const config of CONFIGS) copyFileSync(join(root, config), join(folder, config));
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(TREE)) put(path, text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Links to every package but electron: a rule that names electron must find it in the tree. */
function linkPackages(from: string, to: string): void {
  mkdirSync(join(to, 'electron'), { recursive: true });
  for (const file of ['package.json', 'index.js'])
    copyFileSync(join(from, 'electron', file), join(to, 'electron', file));
  for (const name of readdirSync(from)) if (name !== 'electron') symlinkSync(join(from, name), join(to, name));
}

const command = (start: string): string => {
  const found = checkCommands().find((known) => known.startsWith(start));
  if (found === undefined) throw new Error(`npm run check does not run ${start}.`);
  return found;
};
// The small tree has neither tests nor most dependencies; only dead files and exports are checked.
const gate = {
  biome: () => command('biome'),
  node: () => command('tsc -p tsconfig.node.json'),
  web: () => command('tsc -p tsconfig.web.json'),
  imports: () => command('depcruise').replace(' test ', ' '),
  dead: () => `${command('knip')} --include files,exports`,
};
type Gate = keyof typeof gate;

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

/** A file, its import, and the rule that refuses it. */
const IMPORTS = [
  ['src/renderer/reach.ts', '../main/core/studio.ts', 'renderer-knows-shared-only'],
  ['src/renderer/words/late.ts', '../media/main.ts', 'words-import-shared-only'],
  ['src/renderer/media/late.ts', '../words/states.ts', 'renderer-modules-meet-at-their-index'],
  ['src/shared/io.ts', 'node:fs', 'shared-is-pure'],
  ['src/preload/late.ts', '../main/core/studio.ts', 'preload-is-alone'],
  ['src/main/core/chat/pastIndex.ts', '../jobs/one.ts', 'modules-meet-at-their-index'],
  ['src/main/core/chat/host.ts', '../../hosts/launch/launch.ts', 'core-is-plain-node'],
  ['src/main/core/chat/typed.ts', '../../cli/studio.ts', 'core-is-plain-node'],
  ['src/main/core/chat/forks.ts', 'node:child_process', 'processes-through-the-port'],
  ['src/main/core/chat/electron.ts', 'electron', 'electron-in-its-host-only'],
  ['src/main/core/gateway/errors/upward.ts', '../chat/chat.ts', 'gateway-errors-imports-lower-modules-only'],
  ['src/main/core/gateway/json/upward.ts', '../index.ts', 'gateway-json-and-http-know-nobody'],
  ['src/main/cli/studio.ts', '../core/jobs/index.ts', 'cli-knows-no-studio'],
  ['src/main/mcp/jobs.ts', '../core/jobs/index.ts', 'mcp-knows-no-studio'],
  ['src/main/link/host.ts', '../hosts/browser/start.ts', 'link-knows-no-studio'],
  ['src/main/sandbox/index.ts', '../core/jobs/index.ts', 'sandbox-shares-no-decoder'],
  ['src/main/hosts/common/late.ts', '../../../renderer/media/main.ts', 'hosts-know-no-page'],
  ['src/main/lost.ts', './nowhere.ts', 'no-unresolved'],
] as const;

const LONG = lines(401, (at) => `export const a${at} = ${at};\n`);
const BRANCHES = lines(16, (at) => `  if (n === ${at}) return ${at * 2};\n`);
const UNUSED_EXPORT = `${TREE['src/shared/double.ts']}export const triple = (value: number): number => value * 3;\n`;

const FAULTS: [gate: Gate, path: string, text: string, says: string][] = [
  ['biome', 'src/shared/long.ts', LONG, 'noExcessiveLinesPerFile'],
  [
    'biome',
    'src/shared/branches.ts',
    `export function branches(n: number): number {\n${BRANCHES}  return n;\n}\n`,
    'noExcessiveCognitiveComplexity',
  ],
  ['biome', 'src/shared/loose.ts', 'export const loose = (value: any): unknown => value;\n', 'noExplicitAny'],
  ['biome', 'src/shared/main.ts', 'export default 1;\n', 'noDefaultExport'],
  ['biome', 'src/shared/wide.ts', 'export const wide   = 1\n', 'format'],
  ['biome', 'src/shared/left.ts', 'const left = 1;\nexport const right = 2;\n', 'noUnusedVariables'],
  ['biome', 'src/shared/a.test.ts', "import { test } from 'vitest';\n\ntest.only('x', () => {});\n", 'noFocusedTests'],
  ['node', 'src/main/wrong.ts', "export const wrong: number = 'one';\n", 'TS2322'],
  ['web', 'src/renderer/wrong.tsx', "export const wrong: number = 'one';\n", 'TS2322'],
  ...IMPORTS.map(([path, imported, rule]): (typeof FAULTS)[0] => ['imports', path, `import '${imported}';\n`, rule]),
  ['imports', 'src/main/core/jobs/one.ts', "import './index.ts';\n\nexport const one = 1;\n", 'no-cycles'],
  ['dead', 'src/main/core/alone.ts', 'export const alone = 1;\n', 'alone.ts'],
  ['dead', 'src/shared/double.ts', UNUSED_EXPORT, 'triple'],
];

/** One run of the tool for all its faults, each in its own file; output lines name the file. */
describe.each(Object.keys(gate) as Gate[])('%s', (name) => {
  const faults = FAULTS.filter(([by]) => by === name);

  test('accepts the small tree as it is', async () => {
    const { ok, said } = await runTool(gate[name](), folder);
    expect(ok, said).toBe(true);
  });

  describe('refuses', () => {
    let said = '';
    let isContent = true;
    beforeAll(async () => {
      for (const [, path, text] of faults) put(path, text);
      ({ ok: isContent, said } = await runTool(gate[name](), folder));
    });
    afterAll(() => {
      for (const [, path] of faults) {
        const before = TREE[path];
        if (before === undefined) rmSync(join(folder, path));
        else put(path, before);
      }
    });

    test.each(faults.map(([, path, , says]) => [says, path]))('%s: %s', (says, path) => {
      expect(isContent).toBe(false);
      // A cycle goes over several lines.
      const about = said
        .replace(/→\s+/g, '→ ')
        .split('\n')
        .filter((line) => line.includes(path));
      expect(about, said).toContainEqual(expect.stringContaining(says));
    });
  });
});
