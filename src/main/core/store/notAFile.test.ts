import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { databaseFile, listBackups, openStore, restoreBackup } from './index.ts';

const open = (dataDir: string) => openStore({ dataDir, clock: new TestClock(), log: silentLog });

const KINDS: [kind: string, put: (path: string) => unknown][] = [
  ['a named pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a link that leads to itself', (path) => symlinkSync(path, path)],
  [
    'a socket',
    async (path) => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      await once(server, 'listening');
    },
  ],
];
const PLACES = ['dailies.db', 'dailies.db-wal', 'dailies.db-shm', 'dailies.db-journal'];

test.each(PLACES.flatMap((name) => KINDS.map(([kind, put]) => ({ name, kind, put }))))(
  '$kind as $name is refused with one sentence, and stays',
  async ({ name, kind, put }) => {
    const dir = tempDir();
    await put(join(dir, name));
    const refused = {
      code: 'store_unavailable',
      message: `The database cannot be opened: ${join(dir, name)} is ${kind}, not a file.`,
    };
    expect(open(dir)).toEqual({ ok: false, error: refused });
    expect(open(dir)).toEqual({ ok: false, error: refused });
  },
);

test.each([
  ['a named pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ['a file', (path: string) => writeFileSync(path, '')],
])('%s as the folder of backups is refused with one sentence', (kind, put) => {
  const dir = tempDir();
  put(join(dir, 'backups'));
  expect(open(dir)).toMatchObject({
    ok: false,
    error: { message: `The database cannot be opened: ${join(dir, 'backups')} is ${kind}, not a folder.` },
  });
});

test('anything but a file is no backup: it is neither listed nor read, and one in place of a copy is removed', async () => {
  const dir = tempDir();
  const store = open(dir);
  if (!store.ok) throw new Error(store.error.message);
  await store.data.backUp('good');
  store.data.close();
  execFileSync('mkfifo', [join(dir, 'backups', '9999-pipe.db'), `${databaseFile(dir)}.restore`]);
  const [listed, ...others] = listBackups(dir);
  expect([listed?.name, others]).toEqual([expect.stringContaining('good'), []]);
  expect(() => restoreBackup(dir, databaseFile(dir), '9999-pipe.db', 1)).toThrow('is a named pipe, not a file');
  restoreBackup(dir, databaseFile(dir), listed?.name ?? '', 1);
  const again = open(dir);
  expect(again.ok).toBe(true);
  if (again.ok) again.data.close();
});
