import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { restrictExistingFiles } from './filePermissions.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('what an earlier run left open is closed; what is not ours, and what a link leads to, stays as it is', () => {
  const folder = tempDir('owner');
  const file = (name: string) => {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o644);
  };
  const made = ['dailies.db', 'dailies.db-wal', 'settings.json', 'settings.damaged-1.json', '.lock'];
  made.push('desktop-host.json', 'dailies.damaged-1.db', 'notes.txt');
  for (const name of made) file(name);
  for (const name of ['library', 'logs', 'mine']) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  const elsewhere = tempDir('elsewhere');
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, join(folder, 'sandbox'));
  chmodSync(folder, 0o750);
  restrictExistingFiles(folder);
  expect(made.map((name) => modeOf(join(folder, name)))).toEqual([...Array(7).fill('600'), '644']);
  expect(['library', 'logs', 'mine'].map((name) => modeOf(join(folder, name)))).toEqual(['700', '700', '755']);
  expect([modeOf(elsewhere), modeOf(folder)]).toEqual(['755', '750']);
});
