import { expect, test } from 'vitest';
import { aVideo, type EngineHarness } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { imagine, service, slowDown, taken } from '../../../../../test/helpers/limitedService.ts';
import { keptHolds, saveHold } from './keptHolds.ts';

const start = engineHarnesses();
const profile = { limits: { imagesAtOnce: 1 } };

/** The first request is asked to wait for a minute. */
function slow() {
  const { clock, sends, gateway } = service((_kind, n) => (n === 1 ? slowDown(60_000) : taken(clock, n)));
  const options = { clock, script: { gateway }, profile };
  return { clock, sends, options, before: start(options) };
}

test.each<[string, (harness: EngineHarness, id: string) => unknown]>([
  ['the job was asked for', ({ engine }, id) => engine.commands.retry({ id })],
  ['the job was canceled', ({ engine }, id) => engine.commands.cancel(id)],
])('the hold survives a restart after %s, and is none at another address', async (_what, command) => {
  for (const baseUrl of [undefined, 'http://127.0.0.1:2']) {
    const { clock, sends, options, before } = slow();
    const [first = ''] = await before.many(3, imagine);
    expect(await command(before, first)).toMatchObject({ ok: true });
    await before.close();
    start({ ...options, dataDir: before.dataDir, profile: { ...profile, ...(baseUrl ? { baseUrl } : {}) } });
    await clock.advance(baseUrl ? 2_000 : 59_000);
    expect(sends).toHaveLength(baseUrl ? 2 : 1);
    await clock.advance(2_000);
    expect(sends.length).toBeGreaterThan(1);
  }
});

test('a hold that the service has ended is none after a restart', async () => {
  const { clock, before: harness } = slow();
  await harness.many(1, imagine);
  await harness.many(1, aVideo);
  expect(keptHolds(harness.store.read)).toHaveLength(1);
  await clock.advance(1_000);
  await harness.many(1, imagine);
  expect(keptHolds(harness.store.read)).toEqual([]);
});

/** The second of two orders is not sent out of turn, as one that is asked for is. */
test.each<[string, number]>([
  ['is over', -1],
  ['is a day ahead, of a clock that was set back', 24 * 3_600_000],
])('a hold that %s is none after a restart', async (_what, inMs) => {
  const { clock, sends, options, before } = slow();
  before.store.transaction((db) => saveHold(db, 'image:p', { host: 'http://127.0.0.1:1', until: clock.now() + inMs }));
  await before.close();
  sends.push({ kind: 'image', at: 0, key: '' });
  const after = start({ ...options, profile: {}, dataDir: before.dataDir });
  expect(keptHolds(after.store.read)).toEqual([]);
  await after.many(2, imagine);
  await clock.advance(1_000);
  expect(sends).toHaveLength(3);
});
