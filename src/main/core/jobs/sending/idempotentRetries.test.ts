import { describe, expect, test } from 'vitest';
import {
  acceptance,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  refusal,
  startEngine,
  VIDEO_NANO,
} from '../../../../../test/helpers/engineHarness.ts';
import { engineHarnesses, type JobOptions, jobsOfThisFile } from '../../../../../test/helpers/engineHarnesses.ts';
import { settle, TestClock } from '../../../../../test/helpers/testPorts.ts';
import { retryOfferOf } from '../../../../shared/gateway/idempotency.ts';
import type { RepeatOutcome, SubmitOutcome } from '../../gateway/index.ts';

const start = engineHarnesses();
const aJob = jobsOfThisFile(start);

const source = 'https://gateway.example/docs/idempotency';
const profile = { idempotency: { kind: 'documented', source, windowHours: 24 } };
const BODY = '{"prompt":"A quay at night"}';
const LONG = JSON.stringify({ image: 'x'.repeat(300_000) });
const HOUR = 3_600_000;
const CHARGED = { chargedNano: VIDEO_NANO, uncertainNano: 0, reservedNano: 0 };
const DOUBT = { state: 'uncertain', money: { reservedNano: 0, uncertainNano: VIDEO_NANO } };
const made: SubmitOutcome = { ...finished(), type: 'done' };
const accepted = acceptance(new TestClock());

/** A video whose answer was lost, at a service that is documented to honour keys and gives these answers when it is asked again. */
async function inDoubt(repeat: SubmitOutcome[] = [], options: JobOptions = {}) {
  const one = await aJob({ state: 'uncertain', body: BODY, profile, ...options });
  one.script.repeat = repeat.map((outcome) => ({ outcome, replayed: false }));
  const ask = async () => {
    const asked = await one.resolve('again');
    await settle();
    return asked.ok ? '' : asked.error.message;
  };
  const offered = () => retryOfferOf(one.now(), one.profile, one.clock.now());
  return { ...one, ask, offered };
}
const keptRows = ({ store }: Pick<EngineHarness, 'store'>): unknown[] =>
  store.read.all({ name: 'test.sent', text: 'SELECT * FROM sent_requests' });

describe('asked for again', () => {
  test('the first request comes back: its doubt is its reservation again, and it is charged once', async () => {
    const { script, now, ask, ends, sums } = await inDoubt([accepted]);
    const { at } = now().attempts[0] ?? { at: 0 };
    const key = expect.stringMatching(/^.{4}….{2}$/);
    expect(now().kept).toEqual({ at, bytes: BODY.length, key, baseUrl: 'http://127.0.0.1:1' });
    script.poll = [{ type: 'running' }, finished()];
    expect(await ask()).toBe('');
    expect(script.repeated.map((sent) => [sent.body, sent.key])).toEqual([[BODY, script.keys[0]]]);
    expect(now()).toMatchObject({ state: 'running', money: { reservedNano: VIDEO_NANO, uncertainNano: 0 } });
    expect(now().kept).toBeUndefined();
    const done = await ends();
    expect(done).toMatchObject({ state: 'succeeded', remoteId: 'task-1' });
    expect(done.attempts.map(({ outcome, again }) => [outcome, again])).toEqual([
      ['unknown', undefined],
      ['accepted', true],
    ]);
    expect(sums()).toMatchObject({ settledNano: VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
    expect(script.sent).toBe(1);
  });

  test('a result at once ends it; a second lost answer leaves it in doubt once', async () => {
    const { now, ask, ends } = await inDoubt([lostAnswer, made]);
    await ask();
    expect(now()).toMatchObject({ ...DOUBT, error: { message: expect.stringContaining('Asked for again') } });
    await ask();
    expect(await ends()).toMatchObject({ state: 'succeeded', money: CHARGED });
  });

  test.each<[string, SubmitOutcome]>([
    ['key', refusal({ kind: 'auth', status: 401 })],
    ['rate', refusal({ kind: 'rate_limit', status: 429, retryable: true })],
    ['another body under this key', refusal({ kind: 'invalid', status: 422 })],
    ['balance', refusal({ kind: 'quota', status: 402 })],
    ['no connection', refusal({ kind: 'network', retryable: true })],
    ['still at work', { type: 'unknown', error: error({ kind: 'invalid', status: 409, accepted: 'unknown' }) }],
    [
      'failed, perhaps billed',
      { type: 'refused', error: error({ accepted: 'unknown', answered: true, status: 500 }), billed: 'unknown' },
    ],
  ])('refused for another reason (%s), the first request is in doubt as before', async (_, outcome) => {
    const { script, clock, now, ask, offered } = await inDoubt([outcome]);
    await ask();
    await clock.advance(HOUR);
    expect(now()).toMatchObject(DOUBT);
    expect(script.repeated).toHaveLength(1);
    expect(offered()).toMatchObject({ can: true });
  });

  test('a refusal that the service marks as its first answer is one: nothing is billed', async () => {
    const { script, now, ask } = await inDoubt();
    script.repeat = [{ outcome: refusal({ kind: 'moderation', status: 400 }), replayed: true }];
    await ask();
    const money = { uncertainNano: 0, chargedNano: 0 };
    expect(now()).toMatchObject({ state: 'failed', error: { kind: 'moderation' }, money });
  });

  test('an order that was accepted and failed is told as that', async () => {
    const { now, ask } = await inDoubt([{ type: 'refused', error: error({ accepted: 'yes' }), billed: 'unknown' }]);
    await ask();
    expect(now()).toMatchObject({ state: 'failed', money: { uncertainNano: VIDEO_NANO } });
  });

  test('one press, one request: twice at once, and repeated with its key', async () => {
    const { id, script, commands, resolve } = await inDoubt([accepted]);
    const press = { id, as: 'again' as const, requestKey: 'press-1' };
    const pressed = await Promise.all([commands.resolve(press), commands.resolve(press), resolve('again')]);
    await settle();
    expect(pressed.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect((await commands.resolve(press)).ok).toBe(true);
    expect(script.repeated).toHaveLength(1);
  });

  test('while its answer is awaited it is neither counted as lost nor sent again', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<RepeatOutcome>();
    const { now, ask, resolve } = await inDoubt([], { gateway: { repeat: () => promise } });
    await ask();
    for (const as of ['lost', 'resend'] as const) {
      const refused = await resolve(as);
      expect(refused.ok ? '' : refused.error.message).toContain('being asked for again');
    }
    answer({ outcome: accepted, replayed: false });
    await settle();
    expect(now().state).toBe('running');
  });

  test('an exception while the answer is written leaves the job in doubt, which it says, and it can be asked for again', async () => {
    const { library, now, ask, ends } = await inDoubt([made, made]);
    const { storeInlineOutputs } = library;
    library.storeInlineOutputs = (outputs) => {
      if (outputs.length > 0) throw new TypeError('not a function');
      return storeInlineOutputs.call(library, outputs);
    };
    expect(await ask()).toBe('');
    const message = expect.stringContaining('An error in Dailies');
    expect(now()).toMatchObject({ ...DOUBT, error: { message } });
    expect(now().attempts.at(-1)).toMatchObject({ outcome: 'unknown', again: true });
    library.storeInlineOutputs = storeInlineOutputs;
    expect(await ask()).toBe('');
    expect(await ends()).toMatchObject({ state: 'succeeded', money: CHARGED });
  });
});

describe('not offered', () => {
  type One = Awaited<ReturnType<typeof inDoubt>>;
  const sql = (text: string) => (one: One) =>
    one.store.transaction((db) => void db.run({ name: `test ${text}`, text }));
  const at = (ms: number) => (one: One) => one.clock.set((one.now().kept?.at ?? 0) + ms);

  test.each<[string, (one: One) => void, string, JobOptions?]>([
    ['where nothing is documented, which is the default', () => undefined, 'documents no', { profile: {} }],
    ['once the service has forgotten the key', at(24 * HOUR - 30_000), 'after 24 h'],
    ['before the clock reaches the time of sending', at(-1), 'clock'],
    [
      'at another address',
      ({ profile: own }) => {
        own.baseUrl = 'http://127.0.0.2:1';
      },
      'address',
    ],
    ['with other bytes', sql(`UPDATE sent_requests SET body = '{}'`), 'damaged'],
    ['without the bytes', sql('DELETE FROM sent_requests'), 'not kept'],
  ])('%s', async (_, change, why, options) => {
    const one = await inDoubt([], options);
    change(one);
    expect(await one.ask()).toContain(why);
    expect(one.script.repeated).toEqual([]);
    expect(one.now()).toMatchObject(DOUBT);
  });

  test('once its time has run out while its key was read', async () => {
    let late: () => void = () => undefined;
    const hasKey = () => {
      late();
      return true;
    };
    const { script, clock, ask } = await inDoubt([accepted], { hasKey });
    late = () => clock.set(clock.now() + 24 * HOUR);
    expect(await ask()).toContain('after 24 h');
    expect(script.repeated).toEqual([]);
  });

  test('with another key than it was sent with, until that is back', async () => {
    const { script, coreEvents, now, ask } = await inDoubt();
    const account = async (name: string) => {
      script.account = name;
      coreEvents.emit('profile.changed', 'p');
      await settle();
      return now().kept?.otherAccount;
    };
    expect(await account('another')).toBe(true);
    expect(await ask()).toContain('was changed since');
    expect(script.repeated).toEqual([]);
    expect(await account('account')).toBeUndefined();
  });
});

describe('the bytes', () => {
  test('a long body is sent to the byte, and is gone with the doubt', async () => {
    const { harness, script, ask } = await inDoubt([accepted], { body: LONG });
    expect(keptRows(harness)).toHaveLength(1);
    await ask();
    expect(script.repeated[0]?.body === LONG).toBe(true);
    expect(keptRows(harness)).toEqual([]);
  });

  test('they outlive a restart', async () => {
    const { id, clock, dataDir, close } = await inDoubt([], { body: LONG, open: startEngine });
    await close();
    const next = start({ dataDir, clock, profile });
    await settle();
    expect(keptRows(next)).toHaveLength(1);
    next.script.repeat = [{ outcome: made, replayed: false }];
    await next.engine.commands.resolve({ id, as: 'again' });
    expect(await next.untilEnd(id)).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO } });
    expect(next.script.repeated[0]?.body === LONG).toBe(true);
  });

  test('once nothing more is to be sent, it is not asked for, also where that had begun', async () => {
    const { engine, script, now, resolve } = await inDoubt();
    const begun = resolve('again');
    engine.stopSending();
    expect(await begun).toMatchObject({ error: { code: 'wrong_state', message: 'Dailies is closing.' } });
    await settle();
    expect(script.repeated).toEqual([]);
    expect(now().attempts).toHaveLength(1);
  });

  test('an end while it is asked for leaves it in doubt, and it can be asked for again', async () => {
    const gateway = { repeat: () => new Promise<RepeatOutcome>(() => undefined) };
    const { id, clock, dataDir, now, ask, close } = await inDoubt([], { gateway, open: startEngine });
    await ask();
    expect(now().attempts.at(-1)).toMatchObject({ outcome: 'sending', again: true });
    const closing = close();
    await clock.advance(5_000);
    await closing;
    const next = start({ dataDir, clock, profile });
    await settle();
    expect(next.job(id)).toMatchObject(DOUBT);
    expect(next.job(id).attempts.at(-1)).toMatchObject({ outcome: 'unknown', again: true });
    next.script.repeat = [{ outcome: accepted, replayed: false }];
    expect((await next.engine.commands.resolve({ id, as: 'again' })).ok).toBe(true);
    await settle();
    expect(next.job(id).state).toBe('running');
  });

  test.each<[string, SubmitOutcome]>([
    ['failed', refusal({ status: 400 })],
    ['running', accepted],
  ])('a definite answer to the first request removes them at once: %s', async (state, answer) => {
    const { harness, now } = await aJob({ profile, body: LONG, submit: [answer] });
    expect(now().state).toBe(state);
    expect(keptRows(harness)).toEqual([]);
  });
});

test('a service that does not honour keys after all, as the bill names it twice: both are charged, each with its entry', async () => {
  const { id, coreEvents, commands, now, ask, ends, sums } = await inDoubt([made]);
  const ignored: string[] = [];
  coreEvents.on('key.ignored', (profileId) => void ignored.push(profileId));
  const billed = () => commands.billedTwice({ id, billedNano: VIDEO_NANO, requestKey: 'press-1' });
  expect(billed()).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  await ask();
  await ends();
  expect(billed()).toMatchObject({ ok: true });
  expect(now().money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: 0 });
  expect(sums()).toMatchObject({ settledNano: 2 * VIDEO_NANO, reservedNano: 0, uncertainNano: 0 });
  expect(billed()).toMatchObject({ ok: true, data: { money: { chargedNano: 2 * VIDEO_NANO } } });
  expect(ignored).toEqual(['p']);
});
