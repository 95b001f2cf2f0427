import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';
import { PATIENCE_MS } from './test/helpers/patience.ts';

const LONG_MS = 2 * PATIENCE_MS;
const processors = availableParallelism();
/** What replaces modules or globals, adds a kind, or counts the work of its process has a process of its own. */
const ISOLATED = '{src,test}/**/*.isolated.test.{ts,tsx}';
/** Start and kill programs, make video, or try a rule on everything there is: what they leave in a process is no other file's. */
const LARGE = [
  '{src/main/sandbox,test/{arch,helpers}}/**/*.test.ts',
  'src/main/core/{restoredBackup,revisions,repeatedCalls,emptyBin}.test.ts',
  'src/main/core/{backups/backups,batch/enqueue,bundle/bundle,imports/imports,night/{night,outside}}.test.ts',
  'src/main/core/gateway/{answers,evidence,http/origin.secrets}.test.ts',
  'src/main/core/jobs/{changesOfMany,listInQueueOrder,made,manyWaiting,limits/{limits,waitingTimes}}.test.ts',
  'src/main/core/jobs/{polls/polls,sameKey/nightAsks}.test.ts',
  'src/main/core/library/{downloadCrash,downloadQueue,downloadResilience,inspector,moving/moverKills}.test.ts',
  'src/main/core/storyboard/undo.model.test.ts',
  'src/renderer/media/measure/loudness.test.ts',
  'src/shared/rules.test.ts',
];
/** Files that compute: one for each processor, with temporary folders in memory, as each of thousands of tests makes a database. */
const computing = { maxWorkers: processors, setupFiles: ['./test/helpers/inMemory.ts'], exclude: [ISOLATED] };
/** Files that start what is built, and mostly wait for it. Each project has a turn of its own: what loads the machine starves no video. */
const starting = (turn: number) => ({
  maxWorkers: Math.max(2, processors - 1),
  globalSetup: ['./test/helpers/buildOnce.ts'],
  sequence: { groupOrder: turn },
});

/** What `npm test` leaves to `npm run test:all`. */
const LONG = [
  'test/e2e/{parts/*,!(mainJob|imageEdit|wholeAccount).test.ts}',
  'test/contract/!(contract|http).test.ts',
  'test/{torture/!(kills),model/!(races),chaos/!(chaos)}.test.ts',
  // Proofs by volume or by many killed programs, and the sandbox, which is itself a test's.
  'test/{arch/growth.isolated,migrations/*}.test.ts',
  'src/main/core/library/{downloadCrash,moving/moverKills}.test.ts',
  'src/main/sandbox/{program,video/*,render/*}.test.ts',
];

/** What each project is for: docs/developers/testing.md. */
export default defineConfig(({ mode }) => {
  const isShort = mode === 'short';
  const project = (
    name: string,
    { exclude = [], ...options }: NonNullable<TestProjectInlineConfiguration['test']>,
  ) => ({
    plugins: [react({ jsxImportSource: '#elements' })],
    test: {
      ...{ testTimeout: LONG_MS, hookTimeout: LONG_MS },
      // A whole test waits for more than one thing.
      expect: { poll: { timeout: PATIENCE_MS } },
      env: isShort ? { SHORT: '1' } : {},
      exclude: isShort ? [...exclude, ...LONG] : exclude,
      ...options,
      name,
    },
  });
  return {
    test: {
      reporters: ['default', './test/helpers/countsReporter.ts'],
      globalSetup: ['./test/helpers/temporaryFolder.ts'],
      sequence: { sequencer: LongestFirst },
      projects: [
        project('unit', {
          ...computing,
          include: ['src/{shared,renderer,main/core}/**/*.test.ts'],
          exclude: [ISOLATED, ...LARGE],
          // The modules keep nothing between tests: the files of one process share them, and each is loaded once a process.
          isolate: false,
        }),
        project('large', { ...computing, include: LARGE }),
        project('page', {
          ...computing,
          include: ['{src/renderer,test/kinds}/**/*.test.tsx'],
          // A window and globals for each file, in a thread that is kept: a process for each would take half as long again.
          ...{ environment: 'jsdom', pool: 'vmThreads' },
        }),
        project('host', {
          ...starting(1),
          include: [
            ISOLATED,
            '{src/{main/{hosts,cli,mcp,link},preload},test/{contract,kinds,migrations}}/**/*.test.ts',
          ],
          // Its import of electron is replaced in tests.
          server: { deps: { inline: ['electron-store'] } },
        }),
        project('e2e', {
          ...starting(2),
          include: ['test/e2e/**/*.test.ts'],
          setupFiles: ['./test/e2e/failureReport.ts'],
        }),
        project('force', { ...starting(3), include: ['test/{torture,chaos,model}/**/*.test.ts'] }),
      ],
    },
  };
});
