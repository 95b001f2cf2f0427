import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import type { CallInput, CallOutput } from '../../shared/contract/contract.ts';
import { type ErrorCode, fail, ok, type Result } from '../../shared/contract/result.ts';
import { SANDBOX_PROFILE_ID } from '../../shared/gateway/profile.ts';
import { useEntities, useStudio } from '../app/index.ts';
import { RealMoneyDialog } from '../app/shell/RealMoneyDialog.tsx';
import { aProfile } from '../testing/aProfile.ts';
import { acting, aJob, askForRealMoney, byText, click, fakeStudio, press, show, until } from '../testing/page.tsx';
import { SpendBar, sendOnce, WindowStore } from './index.ts';

type Answer = Result<CallOutput<'jobs.enqueue'>>;

const lost = (code: ErrorCode = 'unreachable'): Answer => fail(code, 'The answer did not come.');
const made = ok({ jobs: [aJob()] });
/** Another one for each test: what is not answered is known as long as the window lives. */
let input: CallInput<'jobs.enqueue'>;
let tests = 0;

beforeEach(() => {
  vi.useFakeTimers();
  tests += 1;
  input = { requests: [{ kind: 'imagine', prompt: `Quay ${tests}` }] };
  useStudio.setState({ link: 'up' });
});
afterEach(() => vi.useRealTimers());

/** Gives these answers one after the other, then the last one again. */
function answering(...answers: Answer[]) {
  const studio = fakeStudio({ 'jobs.enqueue': () => (answers.length > 1 ? answers.shift() : answers[0]) ?? made });
  const keys = () => studio.keysOf('jobs.enqueue');
  return { ...studio, keys };
}

/** What a window that is loaded again knows of an order for now. */
const keptInWindow = (...what: unknown[]) =>
  new WindowStore<object>('dailies.unanswered').get(JSON.stringify([...what, false]));

/** More than all pauses together. */
const later = () => acting(() => vi.advanceTimersByTimeAsync(20_000));

describe('one key for what is asked for', () => {
  it.each(['unreachable', 'internal'] as const)('%s: it is asked again under the key that it had', async (code) => {
    const { keys } = answering(lost(code), lost(code), made);
    const sent = sendOnce('jobs.enqueue', input);
    await later();
    expect(await sent).toEqual(made);
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^.{8,100}$/);
  });

  it.each<[string, Answer]>([
    ['done', made],
    ['refused', fail('conflict', 'The price is another by now.')],
  ])('what was %s and is pressed again is another request', async (_, answer) => {
    const { keys } = answering(answer);
    expect(await sendOnce('jobs.enqueue', input)).toEqual(answer);
    await sendOnce('jobs.enqueue', input);
    expect(new Set(keys()).size).toBe(2);
  });

  it('pressed once more while the answer is awaited, or after it never came, it is the same request', async () => {
    const { keys } = answering(lost());
    const both = [sendOnce('jobs.enqueue', input), sendOnce('jobs.enqueue', input)];
    await later();
    await Promise.all(both);
    const third = sendOnce('jobs.enqueue', input);
    await later();
    expect(await third).toEqual(lost());
    expect(new Set(keys()).size).toBe(1);
  });

  it('another content is another request', async () => {
    const { keys } = answering(lost());
    const all = [
      sendOnce('jobs.enqueue', input),
      sendOnce('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A lamp' }] }),
      sendOnce('jobs.enqueue', input, { content: 'of another shot' }),
    ];
    await later();
    await Promise.all(all);
    expect(new Set(keys()).size).toBe(3);
  });

  it('at another price it is the same request, and the price that is shown now is the one that is judged', async () => {
    const { keys, callsOf } = answering(lost());
    const prices = [1, 2].map((nano) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 }));
    for (const shown of prices) {
      const sent = sendOnce('jobs.enqueue', { ...input, shown });
      await later();
      await sent;
    }
    expect(new Set(keys()).size).toBe(1);
    expect(callsOf('jobs.enqueue').at(-1)).toEqual({ ...input, shown: prices[1] });
  });

  it('what was asked for tonight and never answered is not asked for now besides, until its own answer is there, and the other way round', async () => {
    for (const night of [true, false]) {
      const order = { requests: [{ kind: 'imagine' as const, prompt: `Lost ${tests} ${night}` }] };
      const [asked, other] = night ? [{ ...order, night }, order] : [order, { ...order, night: true }];
      const { keys } = answering(lost());
      const first = sendOnce('jobs.enqueue', asked);
      await later();
      await first;
      const count = keys().length;
      const refused = await sendOnce('jobs.enqueue', other);
      expect(refused.ok || refused.error).toMatchObject({ code: 'conflict' });
      expect(refused.ok || refused.error.message).toContain(
        night ? 'same request for tonight' : 'the same request. Press the button once more',
      );
      expect(keys()).toHaveLength(count);
      const answered = answering(made);
      expect(await sendOnce('jobs.enqueue', asked)).toEqual(made);
      expect(answered.keys()).toEqual([keys()[0]]);
      expect(await sendOnce('jobs.enqueue', other)).toEqual(made);
    }
  });

  it('what moves a job between now and tonight, and orders nothing, is not held back', async () => {
    const studio = fakeStudio({ 'night.assign': () => fail('unreachable', 'The answer did not come.') });
    for (const night of [true, false]) {
      const sent = sendOnce('night.assign', { ids: [`moved ${tests}`], night });
      await later();
      expect(await sent).toMatchObject({ error: { code: 'unreachable' } });
    }
    expect(new Set(studio.keysOf('night.assign')).size).toBe(2);
  });

  it('answered at one price and pressed again at another one it is another request', async () => {
    const { keys } = answering(made);
    for (const nano of [1, 2])
      await sendOnce('jobs.enqueue', { ...input, shown: { estimateNano: nano, lowNano: nano, unpriced: 0 } });
    expect(new Set(keys()).size).toBe(2);
  });

  it('after a reload it still has its key', async () => {
    const { keys } = answering(lost());
    const sent = sendOnce('jobs.enqueue', input);
    await later();
    await sent;
    expect(keptInWindow('jobs.enqueue', input, '')).toMatchObject({ key: keys()[0] });
  });

  it('an input with generated ids is repeated as it was first sent, at the price of now, until its answer comes', async () => {
    let answer: Result<CallOutput<'storyboard.makeTake'>> = fail('unreachable', 'The studio is away.');
    const board = { projectId: 'f', revision: 1, shots: [] };
    const studio = fakeStudio({ 'storyboard.makeTake': () => answer });
    const prices = [1, 2].map((nano) => ({ estimateNano: nano, lowNano: nano, unpriced: 0 }));
    const order = (shotId: string, at = 0) => ({ projectId: 'f', shotId, shown: prices[at] });
    const first = sendOnce('storyboard.makeTake', order('one'), { own: ['take 3'] });
    await later();
    expect(await first).toMatchObject({ ok: false });
    expect(keptInWindow('storyboard.makeTake', ['take 3'])).toMatchObject({ input: { projectId: 'f', shotId: 'one' } });
    answer = ok({ job: aJob(), board });
    for (const again of [order('two', 1), order('three')])
      expect(await sendOnce('storyboard.makeTake', again, { own: ['take 3'] })).toMatchObject({ ok: true });
    const calls = studio.callsOf('storyboard.makeTake');
    expect(calls.slice(-2)).toEqual([{ ...order('one'), shown: prices[1] }, order('three')]);
    const keys = studio.keysOf('storyboard.makeTake');
    expect(new Set(keys.slice(0, -1)).size).toBe(1);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });
});

describe('a studio that is away', () => {
  it('is asked as soon as it is back', async () => {
    const studio = answering(lost(), made);
    const sent = sendOnce('jobs.enqueue', input);
    await studio.link('lost');
    await acting(() => vi.advanceTimersByTimeAsync(60_000));
    expect(studio.keys()).toHaveLength(1);
    await studio.link('up');
    expect(await sent).toEqual(made);
    expect(new Set(studio.keys()).size).toBe(1);
  });

  it('is not waited for without an end', async () => {
    const studio = answering(lost());
    const sent = sendOnce('jobs.enqueue', input);
    await studio.link('lost');
    await acting(() => vi.advanceTimersByTimeAsync(130_000));
    expect(await sent).toEqual(lost());
    expect(studio.keys()).toHaveLength(1);
  });

  it('that knows this page no longer is not asked again', async () => {
    const studio = answering(lost());
    const sent = sendOnce('jobs.enqueue', input);
    await studio.link('signedOut');
    await later();
    expect(await sent).toEqual(lost());
    expect(studio.keys()).toHaveLength(1);
  });
});

it('while it is asked again one sentence says so, and the button stays busy; then the page says what happened', async () => {
  answering(lost(), made);
  const send = async () => {
    const answer = await sendOnce('jobs.enqueue', input);
    return answer.ok ? undefined : answer.error;
  };
  const page = await show(
    <SpendBar label="Make it" off={undefined} onSend={send}>
      $1.00
    </SpendBar>,
  );
  await press('Enter', { ctrlKey: true });
  expect(page.textContent).toContain(labels.theAnswerWasLostIt);
  expect(page.querySelector('[role="alert"]')).toBeNull();
  await later();
  expect(page.textContent).not.toContain('lost');
  expect(page.querySelector('[role="alert"]')).toBeNull();
});

describe('real money at a gateway is agreed to once', () => {
  const real = aProfile({ id: 'real', name: 'Studio', baseUrl: 'https://gateway.example' });
  const dialog = () => document.querySelector('[role="dialog"]')?.textContent ?? '';
  beforeAll(askForRealMoney);
  const begin = async (realMoney?: Record<string, string>, kept: Promise<void> = Promise.resolve()) => {
    vi.useRealTimers();
    const studio = fakeStudio({
      'jobs.enqueue': () => made,
      'settings.set': async (patch) => {
        await kept;
        return { theme: 'dark', welcomed: true, activeProfileId: 'real', ...patch } as never;
      },
    });
    const settings = { theme: 'dark', welcomed: true, activeProfileId: 'real', realMoney } as never;
    useStudio.setState({ profiles: [real], activeProfileId: 'real', settings });
    await show(<RealMoneyDialog />);
    return studio;
  };
  const shown = { estimateNano: 1_600_000_000, lowNano: 400_000_000, unpriced: 0 };

  it('the first press asks with the figures, and sends once it is agreed to; the second is not asked', async () => {
    const studio = await begin();
    const sent = sendOnce('jobs.enqueue', { ...input, shown });
    await until(() => expect(dialog()).toContain('Pay with real money at Studio?'));
    expect(dialog()).toContain('up to $1.60');
    expect(studio.callsOf('jobs.enqueue')).toEqual([]);
    await click(byText(labels.payWithRealMoney, 'button'));
    expect(await sent).toEqual(made);
    expect(studio.callsOf('settings.set')).toEqual([{ realMoney: { real: 'https://gateway.example' } }]);
    expect(await sendOnce('jobs.enqueue', { ...input, shown })).toEqual(made);
    expect(studio.callsOf('jobs.enqueue')).toHaveLength(2);
  });

  it('refused, nothing is sent, and the next press asks again', async () => {
    const studio = await begin();
    for (const _ of [1, 2]) {
      const sent = sendOnce('jobs.enqueue', { ...input, shown });
      await until(() => expect(dialog()).not.toBe(''));
      await click(byText(labels.sendNothing, 'button'));
      expect(await sent).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
    }
    expect([studio.callsOf('jobs.enqueue'), studio.callsOf('settings.set')]).toEqual([[], []]);
  });

  it('where it was left while the agreement was being kept, the question of the next press stays', async () => {
    const kept = Promise.withResolvers<void>();
    const studio = await begin({}, kept.promise);
    const first = sendOnce('jobs.enqueue', { ...input, shown });
    await until(() => expect(dialog()).not.toBe(''));
    await click(byText(labels.payWithRealMoney, 'button'));
    await click(byText(labels.sendNothing, 'button'));
    expect(await first).toMatchObject({ ok: false });
    const second = sendOnce('jobs.enqueue', { ...input, shown });
    await until(() => expect(dialog()).not.toBe(''));
    await acting(() => kept.resolve());
    await until(() => expect(useStudio.getState().settings?.realMoney).toHaveProperty('real'));
    await click(byText(labels.sendNothing, 'button'));
    expect(await second).toMatchObject({ ok: false });
    expect(studio.callsOf('jobs.enqueue')).toEqual([]);
  });

  it('agreed to at another origin, it is asked again; and for the night too', async () => {
    await begin({ real: 'https://other.example' });
    void sendOnce('jobs.enqueue', { ...input, shown, night: true });
    await until(() => expect(dialog()).toContain('Pay with real money at Studio?'));
    await click(byText(labels.sendNothing, 'button'));
  });

  it('without a window that can ask, nothing is sent', async () => {
    const studio = await begin();
    await show(null);
    expect(await sendOnce('jobs.enqueue', { ...input, shown })).toMatchObject({ ok: false });
    expect(studio.callsOf('jobs.enqueue')).toEqual([]);
  });

  it('a job of a gateway that is not active asks for its own', async () => {
    await begin();
    useStudio.setState({ activeProfileId: SANDBOX_PROFILE_ID });
    useEntities.setState({ jobs: new Map([['j', aJob({ id: 'j', profileId: 'real' })]]) });
    void sendOnce('jobs.retry', { id: 'j', shown });
    await until(() => expect(dialog()).toContain('Pay with real money at Studio?'));
    await click(byText(labels.sendNothing, 'button'));
  });
});
