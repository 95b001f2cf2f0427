import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCommands, root, runTool } from './tools.ts';

/** A gate that never fails proves nothing: each must refuse a fault of its kind, planted in a small tree that it accepts. */

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
  'src/main/core/gateway/json/index.ts': "export { parsed } from './parse.ts';\n",
  'src/main/core/gateway/chat/index.ts': "import { parsed } from '../json/index.ts';\n\nexport const chat = parsed;\n",
  'src/main/core/gateway/index.ts': "export { chat } from './chat/index.ts';\n",
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

const FAULTS: [fault: string, gate: Gate, path: string, text: string, says: string][] = [
  [
    'a file of 401 lines',
    'biome',
    'src/shared/long.ts',
    lines(401, (at) => `export const a${at} = ${at};\n`),
    'noExcessiveLinesPerFile',
  ],
  [
    'a function of too many branches',
    'biome',
    'src/shared/branches.ts',
    `export function branches(n: number): number {\n${lines(16, (at) => `  if (n === ${at}) return ${at * 2};\n`)}  return n;\n}\n`,
    'noExcessiveCognitiveComplexity',
  ],
  ['any', 'biome', 'src/shared/loose.ts', 'export const loose = (value: any): unknown => value;\n', 'noExplicitAny'],
  ['a default export', 'biome', 'src/shared/main.ts', 'export default 1;\n', 'noDefaultExport'],
  ['a line out of format', 'biome', 'src/shared/wide.ts', 'export const wide   = 1\n', 'format'],
  [
    'an unused variable',
    'biome',
    'src/shared/left.ts',
    'const left = 1;\nexport const right = 2;\n',
    'noUnusedVariables',
  ],
  [
    'a focused test',
    'biome',
    'src/shared/a.test.ts',
    "import { test } from 'vitest';\n\ntest.only('x', () => {});\n",
    'noFocusedTests',
  ],
  ['a wrong type in main', 'node', 'src/main/wrong.ts', "export const wrong: number = 'one';\n", 'TS2322'],
  ['a wrong type in a page', 'web', 'src/renderer/wrong.tsx', "export const wrong: number = 'one';\n", 'TS2322'],
  [
    'a page that imports the studio',
    'imports',
    'src/renderer/reach.ts',
    "import '../main/core/studio.ts';\n",
    'renderer-knows-shared-only',
  ],
  ['shared that does I/O', 'imports', 'src/shared/io.ts', "import 'node:fs';\n", 'shared-is-pure'],
  [
    'a module imported past its index',
    'imports',
    'src/main/core/chat/pastIndex.ts',
    "import '../jobs/one.ts';\n",
    'modules-meet-at-their-index',
  ],
  [
    'a gateway module imported past its index',
    'imports',
    'src/main/core/gateway/chat/pastIndex.ts',
    "import '../json/parse.ts';\n",
    'gateway-chat-imports-lower-modules-only',
  ],
  [
    'a gateway module that imports a later one',
    'imports',
    'src/main/core/gateway/errors/index.ts',
    "import '../chat/index.ts';\n",
    'gateway-errors-imports-lower-modules-only',
  ],
  [
    'JSON that knows the gateway',
    'imports',
    'src/main/core/gateway/json/upward.ts',
    "import '../index.ts';\n",
    'gateway-json-and-http-know-nobody',
  ],
  [
    'a gateway that imports its modules past their index',
    'imports',
    'src/main/core/gateway/pastIndex.ts',
    "import './json/parse.ts';\n",
    'gateway-modules-have-an-index',
  ],
  [
    'core that knows a host',
    'imports',
    'src/main/core/chat/host.ts',
    "import '../../hosts/launch/launch.ts';\n",
    'core-is-plain-node',
  ],
  [
    'core that forks a Node by itself',
    'imports',
    'src/main/core/chat/forks.ts',
    "import 'node:child_process';\n",
    'processes-through-the-port',
  ],
  [
    'electron outside its host',
    'imports',
    'src/main/core/chat/electron.ts',
    "import 'electron';\n",
    'electron-in-its-host-only',
  ],
  [
    'core that knows the command line',
    'imports',
    'src/main/core/chat/typed.ts',
    "import '../../cli/studio.ts';\n",
    'core-is-plain-node',
  ],
  [
    'a command line that knows the studio',
    'imports',
    'src/main/cli/studio.ts',
    "import '../core/jobs/index.ts';\n",
    'cli-knows-no-studio',
  ],
  [
    "a protocol's server that knows the studio",
    'imports',
    'src/main/mcp/jobs.ts',
    "import '../core/jobs/index.ts';\n",
    'mcp-knows-no-studio',
  ],
  [
    'a link that knows more of a host than where it is',
    'imports',
    'src/main/link/host.ts',
    "import '../hosts/browser/start.ts';\n",
    'link-knows-no-studio',
  ],
  [
    'a sandbox that shares a decoder',
    'imports',
    'src/main/sandbox/index.ts',
    "import '../core/jobs/index.ts';\n",
    'sandbox-shares-no-decoder',
  ],
  [
    'words that know a page',
    'imports',
    'src/renderer/words/late.ts',
    "import '../media/main.ts';\n",
    'words-import-shared-only',
  ],
  [
    'a host that imports a page',
    'imports',
    'src/main/hosts/common/late.ts',
    "import '../../../renderer/media/main.ts';\n",
    'hosts-know-no-page',
  ],
  [
    'a preload that imports more than itself',
    'imports',
    'src/preload/late.ts',
    "import '../main/core/studio.ts';\n",
    'preload-is-alone',
  ],
  [
    'a page that reaches past the index of the words',
    'imports',
    'src/renderer/media/late.ts',
    "import '../words/states.ts';\n",
    'renderer-modules-meet-at-their-index',
  ],
  ['a cycle', 'imports', 'src/main/core/jobs/one.ts', "import './index.ts';\n\nexport const one = 1;\n", 'no-cycles'],
  ['an import of nothing', 'imports', 'src/main/lost.ts', "import './nowhere.ts';\n", 'no-unresolved'],
  ['a file that nobody imports', 'dead', 'src/main/core/alone.ts', 'export const alone = 1;\n', 'alone.ts'],
  [
    'an export that nobody uses',
    'dead',
    'src/shared/double.ts',
    `${TREE['src/shared/double.ts']}export const triple = (value: number): number => value * 3;\n`,
    'triple',
  ],
];

/** One run of the tool for all its faults, each in a file of its own: the lines that name a file belong to its fault. */
describe.each(Object.keys(gate) as Gate[])('%s', (name) => {
  const faults = FAULTS.filter(([, by]) => by === name);

  test('accepts the small tree as it is', async () => {
    const { ok, said } = await runTool(gate[name](), folder);
    expect(ok, said).toBe(true);
  });

  describe('refuses', () => {
    let said = '';
    let isContent = true;
    beforeAll(async () => {
      for (const [, , path, text] of faults) put(path, text);
      ({ ok: isContent, said } = await runTool(gate[name](), folder));
    });
    afterAll(() => {
      for (const [, , path] of faults) {
        const before = TREE[path];
        if (before === undefined) rmSync(join(folder, path));
        else put(path, before);
      }
    });

    test.each(faults)('%s', (_, _by, path, _text, says) => {
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
