import { expect, test } from 'vitest';
import {
  acceptance,
  aVideo,
  error,
  finished,
  lostAnswer,
  PIXEL,
  VIDEO_NANO,
} from '../../../../test/helpers/engineRig.ts';
import { rigsOfThisFile } from '../../../../test/helpers/rigsOfThisFile.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { NO_MONEY } from '../../../shared/ledger.ts';
import type { Price } from '../../../shared/price.ts';
import type { PollOutcome, SubmitOutcome } from '../gateway/index.ts';
import { totals } from '../ledger/index.ts';

/** News that comes twice, or about an order that has been followed by another: money moves once, and for the order that it is about. */

const start = rigsOfThisFile();
const perImage: Price = {
  kind: 'image',
  model: '*',
  readings: [{ unit: 'image', nano: 50_000_000 }],
  settledReading: 0,
  source: 'set by you',
};

test('canceled while it was sent, found by a look and then answered as well: one charge', async () => {
  let answer: (outcome: SubmitOutcome) => void = () => undefined;
  const submitImagine = () => new Promise<SubmitOutcome>((done) => (answer = done));
  const rig = start({ profile: { prices: [perImage] }, script: { gateway: { submitImagine } } });
  const { id } = await rig.enqueue({ kind: 'imagine', prompt: 'a hill' });
  rig.engine.hint(id, '{"id":"178"}');
  rig.engine.cancel(id);
  rig.script.poll = [finished()];
  rig.engine.poke(id);
  await rig.until(id, ({ money }) => money.chargedNano > 0);
  answer({ type: 'done', outputs: [{ uri: PIXEL, role: 'output' }] });
  await rig.clock.advance(5_000);
  expect(rig.job(id)).toMatchObject({ state: 'canceled', money: { chargedNano: 50_000_000, uncertainNano: 0 } });
  expect(totals(rig.store.read, 'kind', {}).sum).toEqual({
    ...NO_MONEY,
    settledNano: 50_000_000,
    settledLowNano: 50_000_000,
  });
});

/** The look at a lost order is under way; meanwhile it is ordered again, and the service takes that. */
async function sentAgainDuringALook() {
  const looks: ((outcome: PollOutcome) => void)[] = [];
  const poll = () => new Promise<PollOutcome>((done) => looks.push(done));
  const clock = new TestClock();
  const first = { ...lostAnswer, task: { id: 'old', kind: 'video' as const, acceptedAt: clock.now() } };
  const rig = start({ clock, script: { submit: [first, acceptance(clock, 'new')], gateway: { poll } } });
  const { id } = await rig.enqueue(aVideo);
  await rig.until(id, ({ state }) => state === 'uncertain');
  const lookUp = rig.engine.resolve(id, 'lookup');
  await rig.clock.advance(500);
  expect(looks.length).toBe(1);
  await rig.engine.resolve(id, 'resend');
  await rig.until(id, ({ remoteId, state }) => remoteId === 'new' && state === 'running');
  const tell = async (outcome: PollOutcome) => {
    looks[0]?.(outcome);
    await lookUp;
  };
  const next = async (outcome: PollOutcome) => {
    for (let step = 0; step < 100 && looks.length < 2; step++) await rig.clock.advance(1_000);
    looks[1]?.(outcome);
    return rig.untilEnd(id);
  };
  return { rig, id, tell, next };
}

test.each<[string, PollOutcome]>([
  ['failed', { type: 'failed', error: error({ accepted: 'yes' }), billed: 'no' }],
  ['was made', finished()],
])(
  'a look that began before it was ordered again says that the old order %s: the new one goes on',
  async (_, outcome) => {
    const { rig, id, tell, next } = await sentAgainDuringALook();
    const before = rig.job(id).money;
    expect(before).toMatchObject({ reservedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO });
    await tell(outcome);
    expect(rig.job(id)).toMatchObject({ state: 'running', remoteId: 'new', money: before });
    const job = await next(finished());
    expect(job).toMatchObject({ state: 'succeeded', money: { chargedNano: VIDEO_NANO, uncertainNano: VIDEO_NANO } });
  },
);
