import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LONG } from './test/helpers/long.ts';
import { LongestFirst } from './test/helpers/longestFirst.ts';
import { PATIENCE_MS } from './test/helpers/patience.ts';

/** What replaces modules or globals, adds a kind, or counts the work of its process has a process of its own. */
const ISOLATED = '{src,test}/**/*.isolated.test.{ts,tsx}';
/** Start and kill programs, make video, or try a rule on everything there is: what they leave in a process is no other file's. */
const LARGE = ['{src/main/sandbox,test/{arch,helpers}}/**/*.test.ts', 'src/**/*.large.test.ts'];
type Options = NonNullable<TestProjectInlineConfiguration['test']>;
/** Compute: a file for each processor, with temporary folders in memory, as each of thousands of tests makes a database. */
const computing: Options = { setupFiles: ['./test/helpers/inMemory.ts'], exclude: [ISOLATED] };
/** A process's files share its window and libraries, with the React that is built: else they would take twice as long. */
const inWindow: Options = {
  ...computing,
  setupFiles: ['./test/helpers/inMemory.ts', './src/renderer/testing/ownModules.ts'],
  environment: 'jsdom',
  isolate: false,
};
/** Start what is built, and mostly wait for it. Each project has a turn of its own: what loads the machine starves no video. */
const starting = (groupOrder: number): Options => ({
  maxWorkers: Math.max(2, availableParallelism() - 1),
  globalSetup: ['./test/helpers/buildOnce.ts'],
  sequence: { groupOrder },
});
const modules = ['src/{shared,renderer,main/core}/**/*.test.ts'];
const hosts = [ISOLATED, '{src/{main/{hosts,cli,mcp,link},preload},test/{contract,kinds,migrations}}/**/*.test.ts'];

/** What each project is for: docs/developers/testing.md. */
export default defineConfig(({ mode }) => {
  const isShort = mode === 'short';
  const common: Options = {
    testTimeout: 2 * PATIENCE_MS,
    hookTimeout: 2 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    maxWorkers: availableParallelism(),
    // V8's bookkeeping of compiled WebAssembly ends a process now and then where threads come and go (nodejs/node#64500).
    execArgv: ['--no-memory-protection-keys', '--no-wasm-generic-wrapper'],
    // Classes have the names that their stylesheets write.
    css: { modules: { classNameStrategy: 'non-scoped' } },
    env: isShort ? { SHORT: '1' } : {},
  };
  const project = (name: string, include: string[], { exclude = [], ...options }: Options) => ({
    plugins: [react({ jsxImportSource: '#safeText' })],
    oxc: { jsx: { development: false } },
    test: { ...common, ...options, name, include, exclude: isShort ? [...exclude, ...LONG] : exclude },
  });
  const projects = [
    // The modules keep nothing between tests: the files of one process share them, and each is loaded once a process.
    project('unit', modules, { ...computing, exclude: [ISOLATED, ...LARGE], isolate: false }),
    project('page', ['{src/renderer,test/kinds}/**/*.test.tsx'], inWindow),
    project('large', LARGE, computing),
    // Its import of electron is replaced in tests.
    project('host', hosts, { ...starting(1), server: { deps: { inline: ['electron-store'] } } }),
    project('e2e', ['test/e2e/**/*.test.ts'], { ...starting(2), setupFiles: ['./test/e2e/failureReport.ts'] }),
    project('force', ['test/{torture,chaos,model}/**/*.test.ts'], starting(3)),
  ];
  const reporters = ['default', './test/helpers/countsReporter.ts'];
  const globalSetup = ['./test/helpers/temporaryFolder.ts'];
  return { test: { reporters, globalSetup, sequence: { sequencer: LongestFirst }, projects } };
});
