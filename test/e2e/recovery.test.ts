import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../helpers/host.ts';

/** A damaged database: moved aside, never deleted; the newest backup is offered and can be taken while the page is open. */
test('what was made is there again after a restore, and the damaged file is kept', async () => {
  const first = await startHost();
  const { dataDir } = first;
  await first.ask('projects.create', { name: 'Last Ferry' });
  const events = await first.events();
  await first.ask('app.painted');
  await events.next('store.checked', ({ ok }) => ok);
  await events.close();
  const [backup = ''] = readdirSync(join(dataDir, 'backups'));
  await first.kill('SIGKILL');
  writeFileSync(join(dataDir, 'dailies.db'), 'not a database any more '.repeat(1_000));

  const second = await first.restart();
  const info = await second.ask('app.info');
  expect(info.recovery?.backups.map(({ name }) => name)).toEqual([backup]);
  expect((await second.ask('projects.list')).projects).toEqual([]);
  expect(await second.rpc('store.restore', { name: '../../etc' })).toMatchObject({ ok: false });
  await second.ask('store.restore', { name: backup });
  await expect
    .poll(async () => (await second.rpc('projects.list')).ok && (await second.ask('projects.list')).projects.length)
    .toBe(1);
  expect((await second.ask('app.info')).recovery).toBeUndefined();
  expect(
    readdirSync(dataDir).filter((name) => name.startsWith('dailies.damaged-') && name.endsWith('.db')),
  ).toHaveLength(1);
  await second.stop();
  await first.stop();
});
