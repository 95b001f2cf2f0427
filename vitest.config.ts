import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longestFirst.ts';
import { PATIENCE_MS } from './test/helpers/patience.ts';

/** A whole test waits for more than one thing. */
const patient = {
  expect: { poll: { timeout: PATIENCE_MS } },
  testTimeout: 2 * PATIENCE_MS,
  hookTimeout: 2 * PATIENCE_MS,
};
/** Files that start programs and browsers mostly wait for them: two at a time at least, on a machine of two cores too. */
const whole = { ...patient, maxWorkers: Math.max(2, availableParallelism() - 1) };
/** Files that compute: one for each processor. What vitest itself does beside them is little, and on two processors its usual is one file. */
const computing = { ...patient, maxWorkers: availableParallelism() };
/** What plays video has a turn of its own: what loads the machine on purpose must not starve it. */
const turn = (groupOrder: number) => ({ sequence: { groupOrder } });
/** Start and kill programs, make video, or try a rule on everything there is; each keeps a processor busy for seconds. */
const SLOW = [
  'src/main/sandbox/**/*.test.ts',
  'src/main/core/{restoredBackup,revisions,repeatedCalls,emptyBin}.test.ts',
  'src/main/core/{backups/backups,batch/enqueue,bundle/bundle,imports/imports,night/{night,outside}}.test.ts',
  'src/main/core/gateway/http/origin.secrets.test.ts',
  'src/main/core/jobs/{changesOfMany,listInQueueOrder,made,manyWaiting,limits/{limits,waitingTimes},polls/polls,sameKey/nightAsks}.test.ts',
  'src/main/core/library/{downloadCrash,downloadQueue,downloadResilience,inspector,moving/moverKills}.test.ts',
  'src/main/core/storyboard/undo.model.test.ts',
  'src/renderer/media/measure/loudness.test.ts',
  'src/shared/rules.test.ts',
];
/** These need a process of their own: they replace modules, `fetch`, programs, or what fails in it. */
const PROCESS = [
  'src/renderer/{client/http,app/lazyPage}.test.tsx',
  'src/renderer/app/state/cache.model.test.ts',
  'src/main/core/{library/storeBody,userPlaces}.test.ts',
];
/** These count the work of their process, from before they load what they measure. */
const COUNTING = ['src/{main/core/{gateway/{anyBytes,bounds,chat/stream},secrets/secrets},shared/shownName}.test.ts'];
const plugins = [react({ jsxImportSource: '#elements' })];
/** Each file has a window and globals of its own in a thread that is kept: a process for each would take half as long again. */
const inJsdom = (name: string, include: string[]) => ({
  plugins,
  test: { ...computing, name, include, exclude: PROCESS, environment: 'jsdom' as const, pool: 'vmThreads' as const },
});
/** Their temporary folders are in memory: a database is made in each of thousands of tests. */
const inMemory = ['./test/helpers/inMemory.ts'];
const built = { ...whole, globalSetup: ['./test/helpers/buildOnce.ts'] };

export default defineConfig({
  test: {
    reporters: ['default', './test/helpers/countsReporter.ts'],
    globalSetup: ['./test/helpers/temporaryFolder.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins,
        test: {
          ...computing,
          name: 'unit',
          include: ['src/{shared,main/core,renderer}/**/*.test.ts'],
          exclude: [...SLOW, ...PROCESS, ...COUNTING],
          environment: 'node',
          setupFiles: inMemory,
          // These modules keep nothing between tests: the files of one worker share them, and each is loaded once a worker.
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          ...computing,
          name: 'isolated',
          // What replaces modules or globals, adds a kind, or counts the work of its process.
          include: [
            'src/{main/{hosts,cli,mcp,link},preload}/**/*.test.ts',
            'test/{helpers,migrations,kinds}/**/*.test.ts',
            ...PROCESS,
            ...COUNTING,
          ],
          environment: 'node',
          setupFiles: inMemory,
          // Its import of electron is replaced in tests.
          server: { deps: { inline: ['electron-store'] } },
        },
      },
      inJsdom('dom', ['src/renderer/**/*.test.tsx', 'test/kinds/**/*.test.tsx']),
      { test: { ...computing, name: 'slow', include: SLOW, environment: 'node', setupFiles: inMemory } },
      { test: { ...whole, ...turn(1), name: 'arch', include: ['test/arch/**/*.test.ts'] } },
      { test: { ...built, ...turn(1), name: 'contract', include: ['test/contract/**/*.test.ts'] } },
      {
        test: {
          ...built,
          ...turn(2),
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles: ['./test/e2e/failureReport.ts'],
        },
      },
      { test: { ...built, ...turn(3), name: 'torture', include: ['test/torture/**/*.test.ts'] } },
      { test: { ...whole, ...turn(3), name: 'chaos', include: ['test/{chaos,model}/**/*.test.ts'] } },
    ],
  },
});
