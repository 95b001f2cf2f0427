import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Host, startHost } from '../helpers/host.ts';

/** A damaged database: moved aside, never deleted; the newest backup is offered and can be taken while the page is open. */

const hosts: Host[] = [];
afterAll(async () => {
  for (const host of hosts.reverse()) await host.stop();
});

test('results are back after a restore, and the damaged file is kept', async () => {
  const first = await startHost();
  hosts.push(first);
  const { dataDir } = first;
  await first.ask('projects.create', { name: 'Last Ferry' });
  const events = await first.events();
  await first.ask('app.painted');
  await events.next('store.checked', ({ ok }) => ok);
  await events.close();
  const [backup = ''] = readdirSync(join(dataDir, 'backups'));
  await first.kill('SIGKILL');
  // Without its journal, which alone could restore a young database.
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `dailies.db${suffix}`), { force: true });
  writeFileSync(join(dataDir, 'dailies.db'), 'not a database any more '.repeat(1_000));

  const second = await first.restart();
  hosts.push(second);
  const info = await second.ask('app.info');
  expect(info.recovery?.backups.map(({ name }) => name)).toEqual([backup]);
  expect((await second.ask('projects.list')).projects).toEqual([]);
  expect(await second.rpc('store.restore', { name: '../../etc' })).toMatchObject({ ok: false });
  await second.ask('store.restore', { name: backup });
  const restored = async () => {
    const list = await second.rpc('projects.list');
    return list.ok && list.data.projects.length;
  };
  await expect.poll(restored).toBe(1);
  expect((await second.ask('app.info')).recovery).toBeUndefined();
  const aside = readdirSync(dataDir).filter((name) => name.startsWith('dailies.damaged-') && name.endsWith('.db'));
  expect(aside).toHaveLength(1);
});
