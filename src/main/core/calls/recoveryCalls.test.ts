import { expect, test, vi } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { silentLog, TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import type { Modules } from '../modules.ts';
import { sql } from '../store/index.ts';
import { recoveryHandlers } from './recoveryCalls.ts';

const sent = sql(
  'test.sent',
  `INSERT INTO jobs (id, kind, state, request, profile_id, lane, idempotency_key, hook_secret, price, estimate_nano, estimate_low_nano, position, created_at,
     sent_at, charged_nano, unpriced)
   VALUES ($id, 'video', 'succeeded', '{}', 'p', 'video p', $id, $id, $price, 0, 0, 0, 0, $at, $charged, $unpriced)`,
);

/** A database that is damaged and still in use, whose queue goes on sending. */
function damagedInUse() {
  const [clock, dataDir] = [new TestClock(), tempDir('in-use')];
  const store = openTestStore({ dataDir, clock });
  const [relaunch, stopSending] = [vi.fn(), vi.fn()];
  const ports = { clock, log: silentLog };
  const modules = { options: { relaunch, dataDir }, ports, engine: { stopSending }, store } as unknown as Modules;
  const backups = [{ name: 'b', at: clock.now() - 1_000, bytes: 1 }];
  const handlers = recoveryHandlers(modules, () => ({ movedTo: 'dailies.db', backups, inPlace: true }));
  let count = 0;
  const send = (isPriced = true) => {
    count += 1;
    const [price, charged, unpriced] = isPriced ? ['{}', 400_000_000, 0] : ['null', 0, 1];
    const row = { id: `job-${count}`, at: clock.now(), price, charged, unpriced };
    store.transaction((db) => db.run(sent, row));
  };
  const restore = (loses?: number) => handlers['store.restore']({ name: 'b', ...(loses ? { loses } : {}) } as never);
  return { clock, send, restore, relaunch, stopSending };
}

test('from the answer on nothing is sent, so that the next one fits', async () => {
  const { clock, send, restore, relaunch, stopSending } = damagedInUse();
  send();
  expect(await restore()).toMatchObject({ error: { code: 'conflict', data: { loses: 1 } } });
  expect(stopSending).not.toHaveBeenCalled();
  send();
  expect(await restore(1)).toMatchObject({
    error: { code: 'conflict', data: { loses: 2 }, message: expect.stringContaining('Dailies sends nothing else') },
  });
  expect(stopSending).toHaveBeenCalled();
  expect(await restore(2)).toMatchObject({ ok: true });
  await clock.advance(1_000);
  expect(relaunch).toHaveBeenCalledTimes(1);
});

test('what is sent between the count and the end of sending is asked about too', async () => {
  const { send, restore, relaunch, stopSending } = damagedInUse();
  stopSending.mockImplementation(() => send());
  expect(await restore()).toMatchObject({ error: { code: 'conflict', data: { loses: 1 } } });
  expect(relaunch).not.toHaveBeenCalled();
});

test('what the backup does not have is told with what is known of its price', async () => {
  const { send, restore } = damagedInUse();
  const asked = (words: string) => ({ error: { message: expect.stringContaining(words) } });
  send(false);
  expect(await restore()).toMatchObject(asked('1 job sent since then: no price set.'));
  send();
  expect(await restore()).toMatchObject(asked('2 jobs sent since then: $0.40 and 1 without a price.'));
});
