import { expect, test } from 'vitest';
import { acceptance, aVideo, type EngineHarness, refusal } from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { SubmitOutcome } from '../../gateway/index.ts';
import { keptHolds, saveHold } from './keptHolds.ts';

const start = engineHarnesses();
const imagine: StudioRequest = { kind: 'imagine', prompt: 'A quay' };
const profile = { limits: { imagesAtOnce: 1 } };

/** The first request is asked to wait for a minute; `sends` is when each came. */
function service() {
  const clock = new TestClock();
  const sends: number[] = [];
  const submit = async (): Promise<SubmitOutcome> => {
    sends.push(clock.now());
    if (sends.length > 1) return acceptance(clock, `task-${sends.length}`);
    return refusal({ kind: 'rate_limit', retryable: true, status: 429, retryAfterMs: 60_000 });
  };
  return { clock, sends, gateway: { submitImagine: submit, submitVideo: submit } };
}

async function enqueue(harness: EngineHarness, count: number, request = imagine): Promise<string> {
  const made = await harness.engine.commands.enqueue({ requests: Array.from({ length: count }, () => request) });
  if (!made.ok) throw new Error(made.error.message);
  await settle();
  return made.data.jobs[0]?.id ?? '';
}

test.each<[string, (harness: EngineHarness, id: string) => unknown]>([
  ['the job was asked for', ({ engine }, id) => engine.commands.retry({ id })],
  ['the job was canceled', ({ engine }, id) => engine.commands.cancel(id)],
])('the hold survives a restart after %s', async (_what, command) => {
  const { clock, sends, gateway } = service();
  const before = start({ clock, script: { gateway }, profile });
  const first = await enqueue(before, 3);
  expect(await command(before, first)).toMatchObject({ ok: true });
  await before.close();
  start({ clock, script: { gateway }, profile, dataDir: before.dataDir });
  await clock.advance(59_000);
  expect(sends).toHaveLength(1);
  await clock.advance(2_000);
  expect(sends).toHaveLength(2);
});

test('a hold is none at another address after a restart', async () => {
  const { clock, sends, gateway } = service();
  const before = start({ clock, script: { gateway }, profile });
  await before.engine.commands.cancel(await enqueue(before, 3));
  await before.close();
  const moved = { ...profile, baseUrl: 'http://127.0.0.1:2' };
  start({ clock, script: { gateway }, profile: moved, dataDir: before.dataDir });
  await clock.advance(2_000);
  expect(sends).toHaveLength(2);
});

test('a hold that the service has ended is none after a restart', async () => {
  const { clock, gateway } = service();
  const harness = start({ clock, script: { gateway } });
  await enqueue(harness, 1);
  await enqueue(harness, 1, aVideo);
  expect(keptHolds(harness.store.read)).toHaveLength(1);
  await clock.advance(1_000);
  await enqueue(harness, 1);
  expect(keptHolds(harness.store.read)).toEqual([]);
});

/** The second of two orders is not sent out of turn, as one that is asked for is. */
test.each<[string, number]>([
  ['is over', -1],
  ['is a day ahead, of a clock that was set back', 24 * 3_600_000],
])('a hold that %s is none after a restart', async (_what, inMs) => {
  const { clock, sends, gateway } = service();
  const before = start({ clock, script: { gateway } });
  const hold = { host: 'http://127.0.0.1:1', until: clock.now() + inMs };
  before.store.transaction((db) => saveHold(db, 'image:p', hold));
  await before.close();
  sends.push(0);
  const after = start({ clock, script: { gateway }, dataDir: before.dataDir });
  expect(keptHolds(after.store.read)).toEqual([]);
  await enqueue(after, 2);
  await clock.advance(1_000);
  expect(sends).toHaveLength(3);
});
