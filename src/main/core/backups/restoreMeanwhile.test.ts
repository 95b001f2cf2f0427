import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aVideo, type EngineHarness } from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { nightsOfThisFile } from '../../../../test/helpers/nightHarness.ts';
import { restoreFrom } from './restore.ts';

/** A restore during work that is done in slices is refused, or both are complete. */

const start = engineHarnesses();
const startNight = nightsOfThisFile();

const videos = (count: number) => Array.from({ length: count }, (_, n) => ({ ...aVideo, prompt: `Harbour ${n}` }));

async function enqueue({ engine }: Pick<EngineHarness, 'engine'>, count: number): Promise<string[]> {
  const enqueued = await engine.commands.enqueue({ requests: videos(count) });
  if (!enqueued.ok) throw new Error(enqueued.error.message);
  return enqueued.data.jobs.map(({ id }) => id);
}

/** Restores a backup of this moment. */
async function restoreOfNow({ engine, store }: Pick<EngineHarness, 'engine' | 'store'>) {
  const past = await store.unpack(path.basename(await store.backUp('now')));
  const parts = [engine.many.restoreParticipant((db) => engine.batches.isWriting(db))];
  return () => restoreFrom({ store, parts }, past);
}

const refused = { ok: false, error: { message: expect.stringContaining('Nothing was restored') } };

test('not while a batch is written; afterwards all of it is canceled', async () => {
  const harness = start();
  const { engine } = harness;
  await engine.commands.setPaused(true);
  const restore = await restoreOfNow(harness);
  let isDone = false;
  const batch = engine.commands.enqueue({ requests: videos(60) }).then((enqueued) => {
    isDone = true;
    return enqueued;
  });
  // Bounded, so that a restore that is never refused fails below.
  for (let turn = 0; turn < 1_000 && restore().ok; turn += 1) await nextTurn();
  const answers: unknown[] = [];
  while (!isDone && engine.status().waiting < 60) {
    answers.push(restore());
    await nextTurn();
  }
  expect((await batch).ok).toBe(true);
  expect(answers.length).toBeGreaterThan(2);
  expect(new Set(answers.slice(0, -1).map((answer) => (answer as { ok: boolean }).ok))).toEqual(new Set([false]));
  expect(answers[0]).toMatchObject(refused);
  expect(engine.status().waiting).toBe(60);
  expect(restore()).toMatchObject({ ok: true });
  await expect.poll(() => engine.status().waiting).toBe(0);
});

test('not while many are requested again', async () => {
  const harness = start();
  const { engine } = harness;
  await engine.commands.setPaused(true);
  const restore = await restoreOfNow(harness);
  const ids = await enqueue(harness, 6);
  await engine.many.cancel({ ids });
  const retried = engine.many.retry({ ids });
  while (engine.status().waiting === 0) await nextTurn();
  expect(engine.status().waiting).toBeLessThan(6);
  expect(restore()).toMatchObject(refused);
  expect(await retried).toMatchObject({ ok: true, data: { count: 6 } });
  expect(restore()).toMatchObject({ ok: true });
  await expect.poll(() => engine.status().waiting).toBe(0);
});

test('while many are put into a night, those of the backup are all in it, and the others are canceled', async () => {
  const harness = startNight();
  const { engine, night } = harness;
  await engine.commands.setPaused(true);
  harness.plan();
  const before = await enqueue(harness, 20);
  const restore = await restoreOfNow(harness);
  const after = await enqueue(harness, 20);
  const assigned = engine.many.assignNight({ ids: [...before, ...after], night: true });
  while (!night.get().current?.jobs.waiting) await nextTurn();
  expect(night.get().current?.jobs.waiting).toBeLessThan(40);
  expect(restore()).toMatchObject({ ok: true });
  expect(await assigned).toMatchObject({ ok: true });
  await expect.poll(() => engine.status().waiting).toBe(20);
  expect(after.map((id) => harness.job(id).state)).toEqual(after.map(() => 'canceled'));
  expect(night.get().current?.jobs.waiting).toBe(20);
});
