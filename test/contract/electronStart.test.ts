import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runElectron, startElectron } from '../helpers/electron.ts';
import { startHost } from '../helpers/host.ts';

/** How the Electron host starts, and its message if it cannot. Like Electron, the double becomes ready after the entry's import. */

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const boxes = (told: { name: string; args: unknown[] }[]) =>
  told.filter(({ name }) => name === 'showErrorBox').map(({ args }) => args);

test('a data folder is locked under any of its paths', async () => {
  const run = await startElectron({ dataDir: join(folder, 'data'), dataDirAs: 'data', cwd: folder, onDouble: true });
  expect(existsSync(join(folder, 'data', 'dailies.db'))).toBe(true);
  expect(run.told.find(({ name }) => name === 'setPath')?.args).toEqual(['userData', join(folder, 'data', 'window')]);
  expect(await run.stop()).toBe(0);
});

test('an unusable folder is reported on stderr and in a visible dialog, and the start exits with 1', async () => {
  writeFileSync(join(folder, 'file'), '');
  const { code, told, stderr } = await runElectron(['--data-dir', join(folder, 'file', 'data')]);
  const sentence = expect.stringMatching(/^The data folder .+ cannot be used: .+[.]$/);
  expect(boxes(told)).toEqual([['Dailies', sentence, { isShown: true }]]);
  expect([code, stderr.trim()]).toEqual([1, sentence]);
});

test('unknown flags are reported in a dialog too, with code 2', async () => {
  const { code, told } = await runElectron(['--port', 'x']);
  expect([code, boxes(told).length]).toEqual([2, 1]);
});

test('a studio that does not open is reported in a dialog', async () => {
  const newer = new Database(join(folder, 'dailies.db'));
  newer.pragma('user_version = 9999');
  newer.close();
  const { code, told } = await runElectron(['--data-dir', folder]);
  expect(boxes(told)).toEqual([['Dailies', expect.stringContaining('Dailies could not start: '), { isShown: true }]]);
  expect(code).toBe(1);
});

test('a folder that the browser host uses is refused in a dialog; there is no other window to bring to the front', async () => {
  const host = await startHost({ dataDir: folder });
  const { code, told } = await runElectron(['--data-dir', folder]);
  await host.stop();
  expect(boxes(told)).toEqual([
    ['Dailies', expect.stringContaining('is in use by another Dailies.'), expect.anything()],
  ]);
  expect(code).toBe(1);
});

test('a second start brings the first to the front and exits without a dialog, whatever path it names the folder by', async () => {
  const data = join(folder, 'data');
  const run = await startElectron({ dataDir: data, onDouble: true });
  symlinkSync(data, join(folder, 'link'));
  const { code, told } = await runElectron(['--data-dir', join(folder, 'link')]);
  // Windows finds the first instance by this path.
  expect(told.find(({ name }) => name === 'setPath')?.args).toEqual(['userData', join(data, 'window')]);
  expect([code, boxes(told)]).toEqual([1, []]);
  await expect.poll(() => run.told.map(({ name }) => name)).toContain('window.focus');
  await run.stop();
});

test("the first key is already encrypted under the program's name", async () => {
  const env = { DAILIES_KEYCHAIN: 'on', DOUBLE_KEYRING: 'gnome_libsecret' };
  const run = await startElectron({ dataDir: folder, env, onDouble: true });
  await run.page.evaluate(async () => {
    await globalThis.dailies.call('profiles.save', { id: 'mine', name: 'Mine', baseUrl: 'http://127.0.0.1:9' });
    await globalThis.dailies.call('profiles.setKey', { id: 'mine', apiKey: 'sk-sealed-0123456789' });
  });
  // The first call is a trial of the cipher.
  const sealed = () => run.told.filter(({ name }) => name === 'encrypt').map(({ args }) => args);
  await expect.poll(sealed).toEqual([['Dailies'], ['Dailies']]);
  await run.stop();
});

test('on Windows the program sets the name for its windows and notifications before anything else', async () => {
  writeFileSync(join(folder, 'file'), '');
  const { told } = await runElectron(['--data-dir', join(folder, 'file', 'data')], { DOUBLE_PLATFORM: 'win32' });
  expect(told.slice(0, 2)).toEqual([
    { name: 'setAppUserModelId', args: ['studio.dailies.app'] },
    // Packages and shortcuts contain this id too, so it must not change.
    { name: 'setToastActivatorCLSID', args: ['{4E1B7C52-6D0A-4B3F-9A2E-7C51D08E94B6}'] },
  ]);
});

test('an error while the studio opens ends the start with a dialog', async () => {
  const { code, told } = await runElectron(['--data-dir', join(folder, 'data')], { DOUBLE_FAULT: 'on-window' });
  expect(boxes(told)).toEqual([['Dailies', 'Dailies could not start: a bug', { isShown: true }]]);
  expect(code).toBe(1);
});

test.each([
  [[], 1],
  [['--no-sandbox'], 0],
])(
  'with %j the page sandbox is enabled %i times: enabling it would undo the switch that root needs',
  async (args, times) => {
    const run = await startElectron({ dataDir: folder, args, onDouble: true });
    expect(run.told.filter(({ name }) => name === 'enableSandbox')).toHaveLength(times);
    await run.stop();
  },
);
