import { describe, expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  type EngineHarness,
  error,
  finished,
  lostAnswer,
  PIXEL,
  type Script,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { engineHarnesses } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import type { MediaOutcome, SubmitOutcome } from '../gateway/index.ts';
import { totals } from './index.ts';

/** The effect of a new price on requests whose bill is open: each is counted once, at its possible cost. */

const startEngine = engineHarnesses();

const per = (unit: 'second' | 'video', dollars: number): Price => ({
  kind: 'video',
  model: 'video-standard',
  readings: [{ unit, nano: dollars * 1e9 }],
  settledReading: null,
  source: 'x',
});
const sum = (harness: EngineHarness) => totals(harness.store.read, 'kind', {}).sum;
const inDoubt = (nano: number) => ({ ...NO_MONEY, uncertainNano: nano });

/** Made and charged; then the place of its result answers with a refusal, and the charge is taken back into doubt. */
async function takenBack(stated?: { by: string; as: string; nano: number }) {
  const refused: MediaOutcome = {
    type: 'failed',
    error: error({ kind: 'moderation', accepted: 'yes', message: 'No.' }),
  };
  const outputs = [{ uri: 'https://h/a.png', role: 'output' as const }];
  const made: SubmitOutcome = { type: 'done', outputs, ...(stated ? { stated } : {}) };
  const harness = startEngine({ script: { submit: [made], gateway: { fetchMedia: async () => refused } } });
  const { id } = await harness.enqueue({ kind: 'imagine', prompt: 'a hill' });
  await harness.untilEnd(id);
  return { harness, id };
}

const perImage = (dollars: number): Price => ({
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: dollars * 1e9 }],
  settledReading: 0,
  source: 'set by you',
});

describe('a lost request whose price has changed since', () => {
  const lostThenListed = async () => {
    const harness = startEngine({ script: { submit: [lostAnswer] } });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    openPriceBook(harness).set(harness.profile, [per('second', 0.8)], 'import');
    expect(sum(harness)).toEqual(inDoubt(VIDEO_NANO));
    return { harness, id };
  };
  const shown = (nano: number) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 });

  test('is sent again at the price of now; the first request stays in doubt at its own', async () => {
    const { harness, id } = await lostThenListed();
    const old = { estimateNano: VIDEO_NANO, lowNano: VIDEO_NANO / 4, unpriced: 0 };
    const resend = (price: object) =>
      harness.engine.commands.resolve({ id, as: 'resend', shown: { ...old, ...price } });
    expect(await resend({})).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(harness.job(id).state).toBe('uncertain');
    harness.script.submit = [{ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] }];
    expect(await resend(shown(2 * VIDEO_NANO))).toMatchObject({ ok: true });
    await harness.untilEnd(id);
    expect(sum(harness)).toEqual({
      ...inDoubt(VIDEO_NANO),
      settledNano: 2 * VIDEO_NANO,
      settledLowNano: 2 * VIDEO_NANO,
    });
  });

  test('is sent again, and an answer that states the price of now blocks nothing', async () => {
    const { harness, id } = await lostThenListed();
    await harness.clock.advance(1_000);
    const stated = { by: 'usage.cost', as: '3.2 USD', nano: 2 * VIDEO_NANO };
    harness.script.submit = [{ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }], stated }];
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.untilEnd(id);
    expect(harness.engine.priceMismatches.list()).toEqual([]);
  });
});

describe('an order that is sent again at another price, and was taken once only', () => {
  const missing = () => Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
  const takenThenListed = async (gateway: Script['gateway'] = {}) => {
    const clock = new TestClock();
    const harness = startEngine({ clock, script: { gateway, submit: [acceptance(clock, 'same')] } });
    harness.script.poll = missing();
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    openPriceBook(harness).set(harness.profile, [per('second', 0.8)], 'import');
    return { harness, id };
  };
  const charged = { ...NO_MONEY, settledNano: VIDEO_NANO, settledLowNano: VIDEO_NANO / 4 };

  test('is charged at the price that it was made at', async () => {
    const { harness, id } = await takenThenListed();
    harness.script.submit = [acceptance(harness.clock, 'same')];
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state }) => state === 'running');
    expect(sum(harness)).toEqual({ ...NO_MONEY, reservedNano: VIDEO_NANO });
    harness.script.poll = [finished()];
    await harness.untilEnd(id);
    expect(sum(harness)).toEqual(charged);
  });

  test('and canceled meanwhile, it is fetched and charged at that price too', async () => {
    const answers: ((outcome: SubmitOutcome) => void)[] = [];
    const same = acceptance(new TestClock(), 'same');
    let sent = 0;
    const submitVideo = async () => (sent++ === 0 ? same : new Promise<SubmitOutcome>((done) => answers.push(done)));
    const { harness, id } = await takenThenListed({ submitVideo });
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state }) => state === 'sending');
    harness.engine.commands.cancel(id);
    answers[0]?.(same);
    await settle();
    expect(sum(harness)).toEqual(inDoubt(VIDEO_NANO));
    harness.script.poll = [finished()];
    await harness.until(id, ({ outputs }) => outputs.length > 0);
    expect(sum(harness)).toEqual(charged);
  });

  test('is charged at its own price where the second one was canceled unsent', async () => {
    const { harness, id } = await takenThenListed();
    harness.engine.commands.setPaused(true);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect(sum(harness)).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: 2 * VIDEO_NANO });
    harness.engine.commands.cancel(id);
    harness.script.poll = [finished()];
    harness.coreEvents.emit('webhook.received', id);
    await harness.until(id, ({ money }) => money.chargedNano > 0);
    expect(sum(harness)).toEqual(charged);
  });
});

test.each([['succeeded'], ['canceled']] as const)(
  'an order whose second one, at another price, was refused is charged at its own (%s)',
  async (end) => {
    let answer: (outcome: SubmitOutcome) => void = () => undefined;
    const submitVideo = () => new Promise<SubmitOutcome>((done) => (answer = done));
    const harness = startEngine({ script: { gateway: { submitVideo } } });
    harness.script.poll = Array.from({ length: 60 }, () => ({ type: 'missing' as const }));
    const { id } = await harness.enqueue(aVideo);
    answer(acceptance(harness.clock, 'first'));
    await harness.until(id, ({ state }) => state === 'uncertain');
    openPriceBook(harness).set(harness.profile, [per('second', 0.8)], 'import');
    await harness.engine.commands.resolve({ id, as: 'resend' });
    await harness.until(id, ({ state }) => state === 'sending');
    if (end === 'canceled') harness.engine.commands.cancel(id);
    harness.script.poll = [finished()];
    answer({ type: 'refused', error: error({ kind: 'invalid', status: 400, accepted: 'no' }), billed: 'no' });
    await harness.until(id, ({ money }) => money.chargedNano > 0);
    expect(sum(harness)).toEqual({ ...NO_MONEY, settledNano: VIDEO_NANO, settledLowNano: VIDEO_NANO / 4 });
  },
);

describe('a doubt that comes from a reversed charge', () => {
  test('of a stated cost stays what was stated, whatever the price becomes', async () => {
    const { harness, id } = await takenBack({ by: 'usage.cost', as: '0.8 USD', nano: 800_000_000 });
    expect(sum(harness)).toEqual(inDoubt(800_000_000));
    for (const dollars of [0.4, 0.05, 3]) openPriceBook(harness).set(harness.profile, [perImage(dollars)], 'manual');
    expect(sum(harness)).toEqual(inDoubt(800_000_000));
    expect(harness.engine.commands.settleDoubt(id, 700_000_000)).toMatchObject({ ok: true });
    expect(sum(harness)).toEqual({ ...NO_MONEY, settledNano: 700_000_000, settledLowNano: 700_000_000 });
  });

  test('of an unknown price is one request at the price that becomes known, and follows it', async () => {
    const { harness, id } = await takenBack();
    expect(sum(harness)).toEqual({ ...NO_MONEY, unpriced: 1 });
    for (const dollars of [0.05, 0.2, 0.01]) {
      openPriceBook(harness).set(harness.profile, [perImage(dollars)], 'manual');
      expect(sum(harness)).toEqual(inDoubt(dollars * 1e9));
    }
    harness.engine.commands.settleDoubt(id, 0);
    expect(sum(harness)).toEqual(NO_MONEY);
  });
});

describe('a lost request that is sent again', () => {
  const lostAndSentAgain = async () => {
    const harness = startEngine({ script: { submit: [lostAnswer] } });
    const { id } = await harness.enqueue(aVideo);
    await harness.until(id, ({ state }) => state === 'uncertain');
    harness.engine.commands.setPaused(true);
    await harness.clock.advance(1_000);
    await harness.engine.commands.resolve({ id, as: 'resend' });
    expect(sum(harness)).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: VIDEO_NANO });
    return { harness, id };
  };

  test('is one request in doubt, though a list has made it cheaper since', async () => {
    const { harness, id } = await lostAndSentAgain();
    openPriceBook(harness).set(harness.profile, [per('second', 0.1)], 'import');
    expect(sum(harness)).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: VIDEO_NANO / 4 });
    harness.engine.commands.cancel(id);
    openPriceBook(harness).set(harness.profile, [per('video', 0.5)], 'manual');
    expect(sum(harness)).toEqual(inDoubt(500_000_000));
  });

  test('follows the price that a hand sets while it waits', async () => {
    const { harness } = await lostAndSentAgain();
    openPriceBook(harness).set(harness.profile, [per('video', 0.5)], 'manual');
    expect(sum(harness)).toEqual({ ...inDoubt(500_000_000), reservedNano: 500_000_000 });
  });
});

describe('a price is refused only for what it would change', () => {
  const charged = async () => {
    const harness = startEngine({ script: { submit: [{ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] }] } });
    await harness.untilEnd((await harness.enqueue(aVideo)).id);
    return harness;
  };
  const absurd = per('second', 300_000);

  test('a list changes no charge', async () => {
    const harness = await charged();
    expect(openPriceBook(harness).limitError(harness.profile, [absurd], 'import')).toBeUndefined();
    expect(openPriceBook(harness).limitError(harness.profile, [absurd], 'manual')).toMatchObject({ ok: false });
  });

  test('an open price settles no charge', async () => {
    const harness = await charged();
    const open = { ...absurd, readings: [...absurd.readings, ...per('video', 1).readings] };
    expect(openPriceBook(harness).limitError(harness.profile, [open], 'manual')).toBeUndefined();
  });

  test('a waiting job is checked against it, from wherever the price comes', async () => {
    const harness = startEngine();
    harness.engine.commands.setPaused(true);
    await harness.enqueue(aVideo);
    expect(openPriceBook(harness).limitError(harness.profile, [absurd], 'import')).toMatchObject({ ok: false });
  });
});

test.each([['at once'], ['after one that was lost']] as const)(
  'an order whose next one, at another price, was taken too is charged at its own, and so is that (%s)',
  async (when) => {
    const answers: ((outcome: SubmitOutcome) => void)[] = [];
    const submitVideo = () => new Promise<SubmitOutcome>((done) => void answers.push(done));
    const poll = async () => (isMade ? finished() : { type: 'missing' as const });
    let isMade = false;
    const harness = startEngine({ script: { gateway: { submitVideo, poll } } });
    const { id } = await harness.enqueue(aVideo);
    answers.shift()?.(acceptance(harness.clock, 'first'));
    await harness.until(id, ({ state }) => state === 'uncertain');
    openPriceBook(harness).set(harness.profile, [per('second', 0.8)], 'import');
    const sendAgain = async () => {
      await harness.engine.commands.resolve({ id, as: 'resend' });
      await harness.until(id, ({ state }) => state === 'sending');
    };
    await sendAgain();
    const lost = when === 'at once' ? 0 : 2 * VIDEO_NANO;
    if (lost > 0) {
      answers.shift()?.(lostAnswer);
      await harness.until(id, ({ state }) => state === 'uncertain');
      await sendAgain();
    }
    isMade = true;
    answers.shift()?.(acceptance(harness.clock, 'last'));
    await harness.until(id, ({ money }) => money.chargedNano > 0);
    await harness.clock.advance(60_000);
    expect(sum(harness)).toEqual({
      ...NO_MONEY,
      settledNano: 3 * VIDEO_NANO,
      settledLowNano: 2 * VIDEO_NANO + VIDEO_NANO / 4,
      uncertainNano: lost,
    });
    expect(harness.job(id).money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: lost });
  },
);
