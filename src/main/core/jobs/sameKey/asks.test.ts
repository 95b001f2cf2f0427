import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  refusal,
  startEngine,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle } from '../../../../../test/helpers/testPorts.ts';
import { askAgainOf } from '../../../../shared/idempotency.ts';
import type { Job } from '../../../../shared/job.ts';
import type { RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';
import { totals } from '../../ledger/index.ts';

const start = engineHarnesses();

const DOCUMENTED = { kind: 'documented', source: 'https://gateway.example/docs/idempotency', windowHours: 24 } as const;
const BODY = '{"prompt":"A quay at night"}';
const HOUR = 3_600_000;

const answer = (outcome: SubmitOutcome, replayed = false): RepeatOutcome => ({ outcome, replayed });
const sums = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;
const again = (harness: EngineHarness, id: string) => harness.engine.commands.resolve({ id, as: 'again' });

/** A video whose answer was lost, at a service that is documented to honour keys. */
async function inDoubt(
  options: Parameters<typeof start>[0] = {},
  body = BODY,
  open = start,
): Promise<[EngineHarness, string]> {
  const harness = open({ profile: { idempotency: DOCUMENTED }, ...options });
  harness.script.body = body;
  harness.script.submit = [lostAnswer];
  const { id } = await harness.enqueue(aVideo);
  await harness.until(id, ({ state }) => state === 'uncertain');
  return [harness, id];
}

async function refusedBecause(harness: EngineHarness, id: string): Promise<string> {
  const asked = await again(harness, id);
  await settle();
  expect(harness.script.repeated).toEqual([]);
  expect(harness.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
  return asked.ok ? 'it was sent' : asked.error.message;
}

describe('asked for again', () => {
  test('the first order comes back: its doubt is its reservation again, and it is charged once', async () => {
    const [harness, id] = await inDoubt();
    const { at } = harness.job(id).attempts[0] ?? { at: 0 };
    expect(harness.job(id).kept).toEqual({
      at,
      bytes: BODY.length,
      key: expect.stringMatching(/^.{4}….{2}$/),
      baseUrl: 'http://127.0.0.1:1',
    });
    harness.script.repeat = [answer(acceptance(harness.clock))];
    harness.script.poll = [{ type: 'running' }, finished()];
    expect((await again(harness, id)).ok).toBe(true);
    await settle();
    expect(harness.script.repeated.map(({ body, key }) => [body, key])).toEqual([[BODY, harness.script.keys[0]]]);
    expect(harness.job(id)).toMatchObject({ state: 'running', money: { reservedNano: VIDEO_NANO, uncertainNano: 0 } });
    expect(harness.job(id).kept).toBeUndefined();
    const done = await harness.untilEnd(id);
    expect(done).toMatchObject({ state: 'succeeded', remoteId: 'task-1' });
    expect(done.attempts.map(({ outcome, again }) => [outcome, again])).toEqual([
      ['unknown', undefined],
      ['accepted', true],
    ]);
    expect(sums(harness)).toMatchObject({ settledNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
    expect(harness.script.sent).toBe(1);
  });

  test('a result at once ends it; a second lost answer leaves it in doubt once', async () => {
    const [harness, id] = await inDoubt();
    harness.script.repeat = [answer(lostAnswer), answer({ ...finished(), type: 'done', remoteId: 'r' })];
    await again(harness, id);
    await settle();
    expect(harness.job(id)).toMatchObject({
      state: 'uncertain',
      money: { reservedNano: 0, uncertainNano: VIDEO_NANO },
      error: { message: expect.stringContaining('Asked for again') },
    });
    await again(harness, id);
    expect(await harness.untilEnd(id)).toMatchObject({
      state: 'succeeded',
      money: { chargedNano: VIDEO_NANO, uncertainNano: 0 },
    });
  });

  test.each([
    ['key', refusal({ kind: 'auth', status: 401 })],
    ['rate', refusal({ kind: 'rate_limit', status: 429, retryable: true })],
    ['another body under this key', refusal({ kind: 'invalid', status: 422 })],
    ['balance', refusal({ kind: 'quota', status: 402 })],
    ['no connection', refusal({ kind: 'network', retryable: true })],
    [
      'still at work',
      { type: 'unknown' as const, error: error({ kind: 'invalid', status: 409, accepted: 'unknown' }) },
    ],
    [
      'failed, perhaps billed',
      {
        type: 'refused' as const,
        error: error({ accepted: 'unknown', answered: true, status: 500 }),
        billed: 'unknown' as const,
      },
    ],
  ])('refused for another reason (%s), the first order is in doubt as before', async (_, outcome) => {
    const [harness, id] = await inDoubt();
    harness.script.repeat = [answer(outcome)];
    await again(harness, id);
    await harness.clock.advance(HOUR);
    expect(harness.job(id)).toMatchObject({
      state: 'uncertain',
      money: { reservedNano: 0, uncertainNano: VIDEO_NANO },
    });
    expect(harness.script.repeated).toHaveLength(1);
    expect(askAgainOf(harness.job(id), harness.profile, harness.clock.now())).toMatchObject({ can: true });
  });

  test('a refusal that the service marks as its first answer is one: nothing is billed', async () => {
    const [harness, id] = await inDoubt();
    harness.script.repeat = [answer(refusal({ kind: 'moderation', status: 400 }), true)];
    await again(harness, id);
    await settle();
    expect(harness.job(id)).toMatchObject({
      state: 'failed',
      error: { kind: 'moderation' },
      money: { uncertainNano: 0, chargedNano: 0 },
    });
  });

  test('an order that was accepted and failed is told as that', async () => {
    const [harness, id] = await inDoubt();
    harness.script.repeat = [answer({ type: 'refused', error: error({ accepted: 'yes' }), billed: 'unknown' })];
    await again(harness, id);
    await settle();
    expect(harness.job(id)).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO } });
  });

  test('one press, one request: twice at once, and repeated with its key', async () => {
    const [harness, id] = await inDoubt();
    harness.script.repeat = [answer(acceptance(harness.clock))];
    const press = { id, as: 'again' as const, requestKey: 'press-1' };
    const pressed = await Promise.all([
      harness.engine.commands.resolve(press),
      harness.engine.commands.resolve(press),
      again(harness, id),
    ]);
    await settle();
    expect(pressed.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect((await harness.engine.commands.resolve(press)).ok).toBe(true);
    expect(harness.script.repeated).toHaveLength(1);
  });

  test('while its answer is awaited it is neither counted as lost nor sent again', async () => {
    const { promise, resolve } = Promise.withResolvers<RepeatOutcome>();
    const [harness, id] = await inDoubt({ script: { gateway: { repeat: () => promise } } });
    await again(harness, id);
    await settle();
    for (const as of ['lost', 'resend'] as const) {
      const refused = await harness.engine.commands.resolve({ id, as });
      expect(refused.ok ? '' : refused.error.message).toContain('being asked for again');
    }
    resolve(answer(acceptance(harness.clock)));
    await settle();
    expect(harness.job(id).state).toBe('running');
  });
});

test('an exception while the answer is written leaves the job in doubt, which it says, and it can be asked for again', async () => {
  const [harness, id] = await inDoubt();
  const { storeInlineOutputs } = harness.library;
  harness.library.storeInlineOutputs = (outputs) => {
    if (outputs.length > 0) throw new TypeError('not a function');
    return storeInlineOutputs.call(harness.library, outputs);
  };
  harness.script.repeat = [answer({ ...finished(), type: 'done' }), answer({ ...finished(), type: 'done' })];
  expect((await again(harness, id)).ok).toBe(true);
  await settle();
  expect(harness.job(id)).toMatchObject({
    state: 'uncertain',
    error: { message: expect.stringContaining('Something went wrong here') },
    money: { reservedNano: 0, uncertainNano: VIDEO_NANO },
  });
  expect(harness.job(id).attempts.at(-1)).toMatchObject({ outcome: 'unknown', again: true });
  harness.library.storeInlineOutputs = storeInlineOutputs;
  expect((await again(harness, id)).ok).toBe(true);
  expect(await harness.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { uncertainNano: 0 } });
});

describe('not offered', () => {
  test('where nothing is documented, which is the default', async () => {
    const [harness, id] = await inDoubt({ profile: {} });
    expect(await refusedBecause(harness, id)).toContain('not documented');
  });

  test('once the service has forgotten the key, and before the clock reaches the time of sending', async () => {
    const [harness, id] = await inDoubt();
    const { at = 0 } = harness.job(id).kept ?? {};
    harness.clock.set(at + 24 * HOUR - 30_000);
    const offered = () => askAgainOf(harness.job(id), harness.profile, harness.clock.now());
    expect(offered()).toMatchObject({ can: false, why: expect.stringContaining('24 h, is over') });
    harness.clock.set(at - 1);
    expect(offered()).toMatchObject({ can: false, why: expect.stringContaining('clock') });
    harness.clock.set(at + 24 * HOUR - 61_000);
    expect(offered()).toMatchObject({ can: true });
    harness.clock.set(at + 24 * HOUR - 30_000);
    expect(await refusedBecause(harness, id)).toContain('24 h, is over');
  });

  test('the time begins with the first request under the key', async () => {
    const [harness, id] = await inDoubt();
    const { at = 0 } = harness.job(id).kept ?? {};
    harness.clock.set(at + 23 * HOUR);
    harness.script.submit = [lostAnswer];
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state }) => state === 'uncertain');
    expect(harness.job(id).kept?.at).toBe(at);
    harness.clock.set(at + 25 * HOUR);
    expect(askAgainOf(harness.job(id), harness.profile, harness.clock.now())).toMatchObject({ can: false });
  });

  test('with another key than it was sent with, until that is back', async () => {
    const [harness, id] = await inDoubt();
    harness.script.account = 'another';
    harness.coreEvents.emit('profile.changed', 'p');
    await settle();
    expect(harness.job(id).kept?.otherAccount).toBe(true);
    expect(await refusedBecause(harness, id)).toContain('another key');
    harness.script.account = 'account';
    harness.coreEvents.emit('profile.changed', 'p');
    await settle();
    expect(harness.job(id).kept).not.toHaveProperty('otherAccount');
  });

  test('at another address', async () => {
    const [harness, id] = await inDoubt();
    harness.profile.baseUrl = 'http://127.0.0.2:1';
    expect(await refusedBecause(harness, id)).toContain('address');
  });

  test('without the bytes: not kept, or changed on disk', async () => {
    const [harness, id] = await inDoubt();
    harness.store.transaction((db) => db.run({ name: 'test', text: `UPDATE sent_requests SET body = '{}'` }));
    expect(await refusedBecause(harness, id)).toContain('damaged');
    harness.store.transaction((db) => db.run({ name: 'test2', text: 'DELETE FROM sent_requests' }));
    expect(await refusedBecause(harness, id)).toContain('not kept');
  });
});

describe('the bytes', () => {
  const files = (harness: EngineHarness): string[] => {
    const folder = path.join(harness.dataDir, 'sent');
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  };
  const LONG = JSON.stringify({ image: 'x'.repeat(300_000) });

  test('a long body is in a file, is sent to the byte, and is gone with the doubt', async () => {
    const [harness, id] = await inDoubt({}, LONG);
    expect(files(harness)).toHaveLength(1);
    harness.script.repeat = [answer(acceptance(harness.clock))];
    await again(harness, id);
    await settle();
    expect(harness.script.repeated[0]?.body === LONG).toBe(true);
    expect(files(harness)).toEqual([]);
  });

  test('they outlive a restart, which removes what no job needs', async () => {
    const [harness, id] = await inDoubt({}, LONG, startEngine);
    await harness.close();
    fs.writeFileSync(path.join(harness.dataDir, 'sent', 'job_gone-00.json.part'), 'half');
    const next = start({ dataDir: harness.dataDir, clock: harness.clock, profile: { idempotency: DOCUMENTED } });
    await settle();
    expect(files(next)).toHaveLength(1);
    next.script.repeat = [answer({ ...finished(), type: 'done' })];
    await again(next, id);
    expect(await next.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO } });
    expect(next.script.repeated[0]?.body === LONG).toBe(true);
  });

  test('once nothing more is to be sent, it is not asked for, also where that had begun', async () => {
    const [harness, id] = await inDoubt();
    const begun = again(harness, id);
    harness.engine.stopSending();
    expect(await begun).toMatchObject({ error: { code: 'wrong_state', message: 'Dailies is closing.' } });
    await settle();
    expect(harness.script.repeated).toEqual([]);
    expect(harness.job(id).attempts).toHaveLength(1);
  });

  test('an end while it is asked for leaves it in doubt, and it can be asked for again', async () => {
    const never = { repeat: () => new Promise<RepeatOutcome>(() => undefined) };
    const [harness, id] = await inDoubt({ script: { gateway: never } }, BODY, startEngine);
    await again(harness, id);
    await settle();
    expect(harness.job(id).attempts.at(-1)).toMatchObject({ outcome: 'sending', again: true });
    const closing = harness.close();
    await harness.clock.advance(5_000);
    await closing;
    const next = start({ dataDir: harness.dataDir, clock: harness.clock, profile: { idempotency: DOCUMENTED } });
    await settle();
    expect(next.job(id)).toMatchObject({ state: 'uncertain', money: { uncertainNano: VIDEO_NANO } });
    expect(next.job(id).attempts.at(-1)).toMatchObject({ outcome: 'unknown', again: true });
    next.script.repeat = [answer(acceptance(next.clock))];
    expect((await again(next, id)).ok).toBe(true);
    await settle();
    expect(next.job(id).state).toBe('running');
  });

  test('a definite answer to the first request removes them at once', async () => {
    const harness = start({ profile: { idempotency: DOCUMENTED } });
    harness.script.body = LONG;
    harness.script.submit = [refusal({ status: 400 }), acceptance(harness.clock)];
    for (const expected of ['failed', 'running']) {
      const { id } = await harness.enqueue(aVideo);
      await harness.until(id, ({ state }: Job) => state === expected);
    }
    await settle();
    expect(files(harness)).toEqual([]);
    expect(harness.store.read.all({ name: 'test', text: 'SELECT * FROM sent_requests' })).toEqual([]);
  });
});

describe('a service that does not honour keys after all', () => {
  test('the bill names it twice: both are charged, each with its entry', async () => {
    const [harness, id] = await inDoubt();
    const ignored: string[] = [];
    harness.coreEvents.on('key.ignored', (profileId) => void ignored.push(profileId));
    const billed = () => harness.engine.commands.billedTwice({ id, billedNano: VIDEO_NANO, requestKey: 'press-1' });
    expect(billed()).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
    harness.script.repeat = [answer({ ...finished(), type: 'done' })];
    await again(harness, id);
    await harness.untilEnd(id);
    expect(billed()).toMatchObject({ ok: true });
    expect(harness.job(id).money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: 0 });
    expect(sums(harness)).toMatchObject({ settledNano: 2 * VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
    expect(billed()).toMatchObject({ ok: true, data: { money: { chargedNano: 2 * VIDEO_NANO } } });
    expect(ignored).toEqual(['p']);
  });
});
