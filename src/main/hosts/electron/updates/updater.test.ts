import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { recordingLog, settle, tempDir } from '../../../../../test/helpers/testPorts.ts';

/** A Mac's updater: the system's (Squirrel) fetches the download from this process and replaces the program after its end. */
const { system, app } = vi.hoisted(() => {
  // Imports are not there yet.
  const { EventEmitter: Emitter } = process.getBuiltinModule('node:events');
  return { system: new Emitter(), app: Object.assign(new Emitter(), { isPackaged: true, getPath: () => '/nowhere' }) };
});
vi.mock('electron', () => ({ app, autoUpdater: system }));
vi.mock('electron-updater', () => {
  /** As electron-updater 6.8.10 has it: without `autoInstallOnAppQuit` the system is asked to fetch only by `quitAndInstall`. */
  class MacUpdater {
    autoInstallOnAppQuit = true;
    private isFetched = false;
    constructor() {
      system.on('update-downloaded', () => {
        this.isFetched = true;
      });
    }
    async downloadUpdate(): Promise<void> {
      if (this.autoInstallOnAppQuit) system.emit('fetch');
    }
    quitAndInstall(): void {
      if (this.isFetched) system.emit('quitAndInstall');
      else system.emit('fetch');
    }
  }
  return { default: { MacUpdater, NsisUpdater: class {}, AppImageUpdater: class {} } };
});
const { feedIn, openUpdater } = await import('./updater.ts');
const { UpdateHttp } = await import('./updateHttp.ts');

const { platform, resourcesPath } = process;
afterEach(() => {
  Object.assign(process, { resourcesPath });
  Object.defineProperty(process, 'platform', { value: platform });
  system.removeAllListeners();
});

function onMac(kept = new Map<string, unknown>()) {
  const resources = join(tempDir('update'), 'resources');
  mkdirSync(resources);
  writeFileSync(join(resources, 'app-update.yml'), 'provider: generic\nurl: https://127.0.0.1:9/updates\n');
  Object.assign(process, { resourcesPath: resources });
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const told: string[] = [];
  for (const name of ['fetch', 'quitAndInstall']) system.on(name, () => told.push(name));
  const file = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => void kept.set(key, value),
    delete: (key: string) => void kept.delete(key),
  };
  const updater = openUpdater({
    settings: { own: file, convenient: file },
    network: { proxyFor: async () => undefined, authorities: () => [], onChange: () => () => undefined },
    log: recordingLog(),
    quit: () => void told.push('quit'),
  });
  if (!updater) throw new Error('There is a server.');
  return { updater, told };
}

test.each([
  ['url: https://updates.example/dailies', 'https://updates.example/dailies'],
  ["url: 'HTTPS://updates.example'", 'https://updates.example/'],
  ['url: http://updates.example/dailies', undefined],
  ['url: http://127.0.0.1:9/updates', undefined],
  ['url: ftp://updates.example', undefined],
  ['url: updates.example', undefined],
])('a feed file with %j leads to %j', (line, address) => {
  expect(feedIn(`provider: generic\n${line}\n`)?.href).toBe(address);
});

test('a request for plain http, such as a redirect to it, goes out over https', () => {
  const request = new UpdateHttp('1.0.0').createRequest(
    { protocol: 'http:', hostname: '127.0.0.1', port: 9, path: '/x' },
    () => undefined,
  );
  request.on('error', () => undefined);
  expect(request.protocol).toBe('https:');
  request.destroy();
});

const isSettled = async (work: Promise<unknown>): Promise<boolean> => {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await settle();
  return isOver;
};

test('on a Mac an update is ready once the system has fetched it', async () => {
  const { updater, told } = onMac();
  const download = updater.download();
  await expect.poll(() => told).toEqual(['fetch']);
  expect(await isSettled(download)).toBe(false);
  system.emit('update-downloaded');
  await download;
  // Without its being started afterwards nothing is left to do: the system installs it after the end.
  await updater.install();
  expect(told).toEqual(['fetch']);
});

test('an update that the system refuses is not ready', async () => {
  const { updater, told } = onMac();
  const download = updater.download();
  const refused = expect(download).rejects.toThrow('the signature does not match');
  await expect.poll(() => told).toEqual(['fetch']);
  system.emit('error', new Error('the signature does not match'));
  await refused;
});

test('a program that is to come back ends once the system has it quit', async () => {
  const { updater, told } = onMac();
  const download = updater.download();
  await expect.poll(() => told).toEqual(['fetch']);
  system.emit('update-downloaded');
  await download;
  updater.quitAndInstall();
  const installed = updater.install();
  expect(told).toEqual(['fetch', 'quit', 'quitAndInstall']);
  expect(await isSettled(installed)).toBe(false);
  app.emit('before-quit');
  await installed;
});

test('what was found is known to the next run of the same version, and to no other', () => {
  const kept = new Map<string, unknown>();
  onMac(kept).updater.noteFound('9.0.0');
  expect(onMac(kept).updater.found()).toBe('9.0.0');
  const [[name = '', found] = []] = [...kept];
  kept.set(name, { ...(found as object), by: '0.0.1' });
  expect(onMac(kept).updater.found()).toBeUndefined();
  onMac(kept).updater.noteFound(null);
  expect(kept.size).toBe(0);
});
