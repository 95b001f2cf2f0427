import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { app } from '../../../../test/helpers/electronDouble/app.ts';
import { startInUtility } from './utilityProcesses.ts';

vi.mock('electron', async () => import('../../../../test/helpers/electronDouble/utilityProcess.ts'));

/** Programs as Electron's own processes, on the double of these. */

const folder = mkdtempSync(join(tmpdir(), 'programs-'));
beforeAll(() => void vi.spyOn(app, 'isReady').mockReturnValue(true));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
/** Starts a program of this text, which reports with `say`; resolves with the first report, and the end. */
function start(text: string, maxHeapMb?: number) {
  const file = join(folder, `program-${made++}.mjs`);
  writeFileSync(file, `const say = (word) => process.parentPort.postMessage(word);\n${text}`);
  const word = Promise.withResolvers<unknown>();
  const end = Promise.withResolvers<string>();
  const ends: string[] = [];
  const program = startInUtility(file, {
    ...(maxHeapMb === undefined ? {} : { maxHeapMb }),
    heard: word.resolve,
    ended(reason) {
      ends.push(reason);
      end.resolve(reason);
    },
  });
  return { program, word: word.promise, end: end.promise, ends };
}

test('a program gets nothing of our environment', async () => {
  vi.stubEnv('DAILIES_API_KEY', 'sk-0123456789abcdef');
  const { word, program } = start("say(Object.keys(process.env).join(' '))");
  expect(await word).not.toMatch(/DAILIES_API_KEY|HOME|PATH/);
  program.end();
  vi.unstubAllEnvs();
});

test('one that needs more memory than it may have ends, and says so once', async () => {
  const { end, ends } = start('const all = []; for (;;) all.push(new Array(10_000).fill(all.length));', 32);
  expect(await end).not.toBe('0');
  expect(ends.length).toBe(1);
});

test('a busy one that hears no signal is killed', async () => {
  const { program, word, end } = start(
    "process.on('SIGTERM', () => {}); say('busy'); setTimeout(() => { for (;;); }, 0);",
  );
  expect(await word).toBe('busy');
  program.kill();
  await end;
});

test('one that is killed before it runs is over at once, and does not run on', async () => {
  const { program, end, ends } = start("say('up'); setInterval(() => {}, 1_000);");
  program.kill();
  expect(await end).toBe('no start');
  program.kill();
  expect(ends.length).toBe(1);
});

test('what is sent before it runs waits for it', async () => {
  const { program, word } = start("process.parentPort.on('message', ({ data }) => say(data + 1));");
  program.send(41);
  expect(await word).toBe(42);
  program.end();
});
