import { describe, expect, test } from 'vitest';
import {
  acceptance,
  error,
  finished,
  lostAnswer,
  refusal,
  VIDEO_NANO,
} from '../../../../test/helpers/engineHarness.ts';
import { type JobOptions, jobsOfThisFile, type OneJob } from '../../../../test/helpers/engineHarnesses.ts';
import { openPriceBook } from '../../../../test/helpers/openPriceBook.ts';
import { aPrice, madeFor, nano } from '../../../../test/helpers/prices.ts';
import { settle, TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/money/ledger.ts';
import type { Price } from '../../../shared/money/price.ts';
import type { PollOutcome, SubmitOutcome } from '../gateway/index.ts';

/** The effect of a new price on requests whose bill is open: each is counted once, at its possible cost. */

const aJob = jobsOfThisFile();
const open = { settledReading: null };
const LISTED = aPrice('second', 0.8, open);
const missing = () => Array<PollOutcome>(60).fill({ type: 'missing' });
const book = ({ harness }: OneJob) => openPriceBook(harness);
const set = (one: OneJob, price: Price, by: 'import' | 'manual' = 'import') =>
  book(one).set(one.harness.profile, [price], by);

const settled = (high: number, low = high) => ({ ...NO_MONEY, settledNano: high, settledLowNano: low });
const inDoubt = (uncertainNano: number) => ({ ...NO_MONEY, uncertainNano });
/** At the price that it was made at. */
const CHARGED = settled(VIDEO_NANO, VIDEO_NANO / 4);

/** A video with scripted requests; its first one is unconfirmed, and a list has changed the price since. */
async function inDoubtThenListed(first: SubmitOutcome, options: JobOptions = {}, listed = LISTED) {
  const answers: ((outcome: SubmitOutcome) => void)[] = [];
  const submitVideo = () => new Promise<SubmitOutcome>((done) => answers.push(done));
  const one = await aJob({ poll: missing(), ...options, gateway: { submitVideo, ...options.gateway } });
  const answer = async (outcome: SubmitOutcome) => {
    answers.shift()?.(outcome);
    await settle();
  };
  await answer(first);
  await one.is('uncertain');
  set(one, listed);
  const sendAgain = async () => {
    await one.resolve('resend');
    await one.is('sending');
  };
  return { ...one, answer, sendAgain };
}
const taken = (id: string) => acceptance(new TestClock(), id);

describe('a lost request whose price has changed since', () => {
  test('is sent again at the price of now; the first request stays unconfirmed at its own', async () => {
    const one = await inDoubtThenListed(lostAnswer);
    const { id, now, sums, commands, answer, ends } = one;
    expect(sums()).toEqual(inDoubt(VIDEO_NANO));
    const resend = (estimateNano: number, lowNano: number) =>
      commands.resolve({ id, as: 'resend', shown: { estimateNano, lowNano, unpriced: 0 } });
    expect(await resend(VIDEO_NANO, VIDEO_NANO / 4)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(now().state).toBe('uncertain');
    expect(await resend(2 * VIDEO_NANO, 2 * VIDEO_NANO)).toMatchObject({ ok: true });
    await settle();
    await answer(madeFor());
    await ends();
    expect(sums()).toEqual({ ...settled(2 * VIDEO_NANO), uncertainNano: VIDEO_NANO });
  });
});

describe('a request that is sent again at another price, and was accepted only once', () => {
  test.each([0.8, 0.1])('is charged at the price that it was made at, not at %f', async (each) => {
    const listed = aPrice('second', each, open);
    const { script, sums, now, answer, sendAgain, is, ends } = await inDoubtThenListed(taken('same'), {}, listed);
    await sendAgain();
    await answer(taken('same'));
    await is('running');
    expect(sums()).toEqual({ ...NO_MONEY, reservedNano: VIDEO_NANO });
    // A lower price takes nothing back of what was confirmed.
    expect(now().money.confirmedNano).toBe(Math.max(VIDEO_NANO, nano(4 * each)));
    script.poll = [finished()];
    await ends();
    expect(sums()).toEqual(CHARGED);
  });

  test('and canceled meanwhile, it is fetched and charged at that price too', async () => {
    const { script, sums, cancel, answer, sendAgain, charged } = await inDoubtThenListed(taken('same'));
    await sendAgain();
    cancel();
    await answer(taken('same'));
    expect(sums()).toEqual(inDoubt(VIDEO_NANO));
    script.poll = [finished()];
    await charged();
    expect(sums()).toEqual(CHARGED);
  });

  test('is charged at its own price where the second one was canceled unsent', async () => {
    const { id, script, coreEvents, commands, sums, resolve, cancel, charged } = await inDoubtThenListed(taken('same'));
    commands.setPaused(true);
    await resolve('resend');
    expect(sums()).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: 2 * VIDEO_NANO });
    cancel();
    script.poll = [finished()];
    coreEvents.emit('webhook.received', id);
    await charged();
    expect(sums()).toEqual(CHARGED);
  });

  test.each(['succeeded', 'canceled'])(
    'is charged at its own price where the second one was refused (%s)',
    async (end) => {
      const { script, sums, cancel, answer, sendAgain, charged } = await inDoubtThenListed(taken('first'));
      await sendAgain();
      if (end === 'canceled') cancel();
      script.poll = [finished()];
      await answer(refusal({ kind: 'invalid', status: 400 }));
      await charged();
      expect(sums()).toEqual(CHARGED);
    },
  );
});

test.each(['at once', 'after one that was lost'])(
  'an order whose next one, at another price, was taken too is charged at its own, and so is that (%s)',
  async (when) => {
    let isMade = false;
    const poll = async (): Promise<PollOutcome> => (isMade ? finished() : { type: 'missing' });
    const { clock, now, sums, answer, sendAgain, is, charged } = await inDoubtThenListed(taken('first'), {
      gateway: { poll },
    });
    await sendAgain();
    const lost = when === 'at once' ? 0 : 2 * VIDEO_NANO;
    if (lost > 0) {
      await answer(lostAnswer);
      await is('uncertain');
      await sendAgain();
    }
    isMade = true;
    await answer(taken('last'));
    await charged();
    await clock.advance(60_000);
    expect(sums()).toEqual({ ...settled(3 * VIDEO_NANO, 2 * VIDEO_NANO + VIDEO_NANO / 4), uncertainNano: lost });
    expect(now().money).toMatchObject({ chargedNano: 2 * VIDEO_NANO, uncertainNano: lost });
  },
);

describe('an unconfirmed cost from a reversed charge', () => {
  /** Made and charged; then the result's address answers with a refusal, and the charge becomes unconfirmed. */
  async function takenBack(dollars?: number) {
    const refused = { type: 'failed' as const, error: error({ kind: 'moderation', accepted: 'yes', message: 'No.' }) };
    const one = await aJob({
      request: { kind: 'imagine', prompt: 'a hill' },
      submit: [madeFor(dollars, 'https://h/a.png')],
      gateway: { fetchMedia: async () => refused },
    });
    await one.ends();
    return one;
  }
  const perImage = (dollars: number) => aPrice('image', dollars, { kind: 'image', model: '*' });

  test('of a stated cost stays what was stated, whatever the price becomes', async () => {
    const one = await takenBack(0.8);
    for (const dollars of [0.4, 0.05, 3]) {
      expect(one.sums()).toEqual(inDoubt(nano(0.8)));
      set(one, perImage(dollars), 'manual');
    }
    expect(one.sums()).toEqual(inDoubt(nano(0.8)));
    expect(one.commands.settleDoubt(one.id, nano(0.7))).toMatchObject({ ok: true });
    expect(one.sums()).toEqual(settled(nano(0.7)));
  });

  test('of an unknown price is one request at the price that becomes known, and follows it', async () => {
    const one = await takenBack();
    expect(one.sums()).toEqual({ ...NO_MONEY, unpriced: 1 });
    for (const dollars of [0.05, 0.2, 0.01]) {
      set(one, perImage(dollars), 'manual');
      expect(one.sums()).toEqual(inDoubt(nano(dollars)));
    }
    one.commands.settleDoubt(one.id, 0);
    expect(one.sums()).toEqual(NO_MONEY);
  });
});

test('a lost request that is sent again is one unconfirmed request, though a list has made it cheaper since', async () => {
  const one = await aJob({ state: 'uncertain' });
  one.commands.setPaused(true);
  await one.clock.advance(1_000);
  await one.resolve('resend');
  expect(one.sums()).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: VIDEO_NANO });
  set(one, aPrice('second', 0.1, open));
  expect(one.sums()).toEqual({ ...inDoubt(VIDEO_NANO), reservedNano: VIDEO_NANO / 4 });
  one.cancel();
  set(one, aPrice('video', 0.5, open), 'manual');
  expect(one.sums()).toEqual(inDoubt(nano(0.5)));
});

const absurd = aPrice('second', 300_000, open);
const twoReadings = { ...absurd, readings: [...absurd.readings, ...aPrice('video', 1).readings] };
test.each<[string, JobOptions, Price, 'import' | 'manual', boolean]>([
  ['a list changes no charge', { state: 'succeeded' }, absurd, 'import', true],
  ['a hand changes a charge', { state: 'succeeded' }, absurd, 'manual', false],
  ['an open price settles no charge', { state: 'succeeded' }, twoReadings, 'manual', true],
  ['a waiting job is checked against it, from wherever it comes', { state: 'paused' }, absurd, 'import', false],
])('a price is refused only for what it would change: %s', async (_, options, price, by, isFine) => {
  const one = await aJob(options);
  expect(book(one).limitError(one.harness.profile, [price], by) === undefined).toBe(isFine);
});
