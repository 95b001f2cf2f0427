import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { SANDBOX_PROFILE_ID } from '../../../../shared/gateway/profile.ts';
import { type DryRun, type NightRun, type NightStatus, nightPlanSchema } from '../../../../shared/jobs/night.ts';
import { useStudio } from '../../../app/index.ts';
import { forgetNightOrder, type NightOrder, planNightFor, useNightOrder } from '../../../spending/index.ts';
import { dry, over, planned, statusOf } from '../../../testing/aNight.ts';
import { aProfile } from '../../../testing/aProfile.ts';
import {
  acting,
  byText,
  click,
  type FakeStudio,
  fakeStudio,
  press,
  show,
  type,
  until,
} from '../../../testing/page.tsx';
import { Toasts } from '../../../ui/index.ts';
import { QueuePage } from '../QueuePage.tsx';
import { forgetPlanDraft } from './planDraft.ts';

/** What stands at the button that arms a night, or starts it now, is of the plan that it arms. */

const HOUR = 3_600_000;

type Planned = Result<NightRun> | NightRun | Promise<Result<NightRun>>;
type DryAnswer = Result<DryRun> | DryRun | Promise<DryRun>;

/** A studio with this night, that works a plan out like this. */
function planning(
  current: NightRun | null,
  dryRun: (plan: { capNano?: number; startsNow?: boolean }) => DryAnswer,
  answer = (run: NightRun): Planned => run,
) {
  let status: NightStatus = statusOf(current, over);
  const studio = fakeStudio({
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'night.get': () => status,
    'night.dryRun': ({ plan }) => dryRun((plan ?? {}) as never) as DryRun,
    'night.plans': () => ({ plans: [] }),
    'night.plan': (input) => {
      const { date: _, startsNow, endsAt: __, ...plan } = nightPlanSchema.parse(input);
      const run: NightRun = { ...planned, ...plan, state: startsNow ? 'open' : 'planned' };
      status = statusOf(run, over, 2);
      return answer(run);
    },
  });
  return { ...studio, tell: () => studio.emit({ type: 'night.changed', status }) };
}

type Made = NightOrder['onSend'];

const armed = (studio: FakeStudio) => studio.callsOf('night.plan');
const isOff = (label: string) => byText(label).getAttribute('aria-disabled') === 'true';
const canPress = (label = 'Schedule run 15') => until(() => expect(isOff(label)).toBe(false));
/** What came along stands there, and with it the way to schedule it. */
const canOrder = async () => {
  await until(() => expect(bar()).toContain('Make take 7 of shot 3'));
  await canPress();
};
const bar = () => document.querySelector('.nplan .sendbar')?.textContent ?? '';
const main = () => document.querySelector('.nightp > .col')?.textContent;
const capField = () => document.querySelector('.nplan input[inputmode=decimal]') as HTMLInputElement;
const spend = (at?: EventTarget) => press('Enter', { ctrlKey: true }, at);
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

async function open(hash = '#/queue/night'): Promise<void> {
  window.location.hash = hash;
  await show(<QueuePage />);
}

const shown = { estimateNano: 2_400_000_000, lowNano: 400_000_000, unpriced: 0 };
const shot = '#/storyboard?shot=3';
/** An order comes along to the plan; answers how often it was made. */
function comesAlong(more: Partial<NightOrder> = {}): () => number {
  let made = 0;
  const onSend: Made = async () => void made++ as undefined;
  useNightOrder.setState({ order: { what: 'Make take 7 of shot 3', shown, onSend, from: shot, ...more } });
  return () => made;
}

/** In the minute at which the plan begins by itself, a night that is started now would be the plan's own. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 22, 12) });
  useStudio.setState({ queue: undefined, budgets: [], profiles: [], activeProfileId: undefined });
  forgetNightOrder();
  for (const current of [null, planned]) forgetPlanDraft(statusOf(current));
});
afterEach(() => void vi.useRealTimers());

it('while a changed plan is worked out its price is not there, and it cannot be armed', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<DryRun>();
  const studio = planning(null, ({ capNano }) => (capNano === 20_000_000_000 ? dry : promise));
  await open();
  await until(() => expect(bar()).toContain('up to $3.20'));
  await canPress();
  await type(capField(), '7');
  expect(bar()).not.toContain('up to $3.20');
  await spend(capField());
  expect(armed(studio)).toEqual([]);
  answer({ ...dry, totalNano: 6_000_000_000, totalLowNano: 5_000_000_000 });
  await until(() => expect(bar()).toContain('up to $6.00'));
  await spend(capField());
  await until(() => expect(armed(studio)).toMatchObject([{ capNano: 7_000_000_000 }]));
});

it('a plan that cannot be worked out says why, at its field if it is of one, and cannot be armed', async () => {
  const studio = planning(null, () => fail('invalid_input', 'end: must not be the start.', { field: 'end' }));
  await open();
  await until(() => expect(main()).toContain('must not be the start.'));
  expect(document.querySelector('.nightp > .col [role=status], .nightp > .col .sk')).toBeNull();
  expect(document.querySelector('.nplan .scroll')?.textContent).toContain('To: must not be the start.');
  expect(isOff('Schedule run 15')).toBe(true);
  await spend();
  expect(armed(studio)).toEqual([]);
});

it('a plan that is not one yet says so, and nothing loads', async () => {
  planning(null, () => dry);
  await open();
  await until(() => expect(bar()).toContain('up to $3.20'));
  await type(capField(), 'much');
  await open('#/queue');
  await open();
  await until(() => expect(main()).toContain('must be an amount in dollars'));
});

it('a studio that failed to work it out can be asked again', async () => {
  let isWell = false;
  planning(null, () => (isWell ? dry : fail('store_unavailable', 'The store is busy.')));
  await open();
  await until(() => byText(labels.tryAgain));
  isWell = true;
  await click(byText(labels.tryAgain));
  await until(() => expect(bar()).toContain('up to $3.20'));
});

it('Start now offers the night at what it sends from now on, and makes the order that came along', async () => {
  const soon = { ...dry, endsAt: Date.now() + 2 * HOUR, totalNano: 6_000_000_000, totalLowNano: 5_000_000_000 };
  const studio = planning(planned, ({ startsNow }) => (startsNow ? soon : dry));
  await open();
  await until(() => byText(labels.startNow));
  const made = comesAlong();
  await press('Enter', { shiftKey: true });
  await until(() => byText(labels.startNight(15), '.dlg button'));
  const dialog = () => document.querySelector('.dlg')?.textContent;
  await until(() => expect(dialog()).toContain('up to $6.00'));
  expect(dialog()).toContain('Make take 7 of shot 3');
  expect(armed(studio)).toEqual([]);
  await spend();
  await until(() => expect(location.hash).toBe(shot));
  expect(armed(studio)).toMatchObject([{ startsNow: true, start: '23:00' }]);
  expect(made()).toBe(1);
});

const line = (n: number) => ({ title: `Line ${n}`, nano: 3_000_000_000, lowNano: 3_000_000_000 });
const message = 'It may cost $3.00; $1.00 is left of the daily limit.';
const added = {
  fits: [1, 2].map((n) => ({
    ...{ ...line(n), lane: 'video:p', slot: 0, startsAt: dry.startsAt, endsAt: dry.startsAt + HOUR },
  })),
  fitCount: 2,
  unfit: [{ ...line(3), reason: 'run' as const, message, byNano: 2_000_000_000 }],
  unfitCount: 1,
};
const lines = { readId: 'read_1' };
const ofLines = { what: 'Queue 3 jobs', from: '#/queue?import=jobs', lines };
const ADD = labels.addToNight(15);

it('what came along stands in the plan as the studio tries it: what fits and when, what does not and why, and the price', async () => {
  const empty = { ...dry, fits: [], fitCount: 0, unfit: [], unfitCount: 0 };
  const studio = planning(planned, () => ({ ...empty, totalNano: 6_000_000_000, totalLowNano: 6_000_000_000, added }));
  const made = comesAlong(ofLines);
  await open('#/queue/night?plan=change');
  await until(() => byText('Line 3', '.nrow .cut'));
  expect(studio.callsOf('night.dryRun').at(-1)).toMatchObject({ added: lines });
  expect(texts('.grp, .nrow > div')).toEqual([
    'In the run 2$6.00 at most',
    'Line 1Scheduled with this plan',
    'Line 2Scheduled with this plan',
    `${labels.doesNotFit} 1`,
    `Line 3${message}`,
  ]);
  expect(bar()).toContain('No room for 1 job in this run.');
  const list = document.querySelector('[aria-label="Jobs of the run"]') as HTMLElement;
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await press(key, {}, list);
  expect(document.querySelector('[role=option][aria-selected=true]')?.textContent).toContain('Line 3');
  await click(byText(ADD, '.sendbar button'));
  await until(() => expect(made()).toBe(1));
  expect(location.hash).toBe('#/queue?import=jobs');
});

it('lines that the studio keeps no longer are not ordered, and the way back is said', async () => {
  planning(planned, () => fail('not_found', 'readId: that text is no longer kept.', { field: 'readId' }));
  comesAlong(ofLines);
  await open('#/queue/night?plan=change');
  await until(() => expect(bar()).toContain('The rows are outdated.'));
  expect(isOff(ADD)).toBe(true);
});

it('who has left the plan before the order is made is led nowhere', async () => {
  const studio = planning(null, () => dry);
  const { promise: ordered, resolve } = Promise.withResolvers<undefined>();
  await open();
  comesAlong({ onSend: () => ordered });
  await canOrder();
  await spend();
  await until(() => expect(armed(studio)).toHaveLength(1));
  window.location.hash = '#/library';
  await acting(() => resolve(undefined));
  expect(location.hash).toBe('#/library');
});

/** Presses *Schedule run 15*, and answers when it is told to. */
async function armingLate() {
  const { promise: late, resolve } = Promise.withResolvers<Result<NightRun>>();
  const studio = planning(
    null,
    () => dry,
    () => late,
  );
  await open();
  const made = comesAlong();
  const { order } = useNightOrder.getState();
  await canOrder();
  await spend();
  await until(() => expect(armed(studio)).toHaveLength(1));
  const leave = async () => {
    window.location.hash = '#/library';
    await show(<Toasts />);
  };
  return { order, leave, made, answer: (result: Result<NightRun>) => acting(() => resolve(result)) };
}

it('makes the order that it was pressed with also where the plan was left before the night is armed', async () => {
  const { leave, made, answer } = await armingLate();
  await leave();
  await answer(ok(planned));
  await until(() => expect(made()).toBe(1));
  expect(location.hash).toBe('#/library');
});

it('what is typed into the plan while it is being armed stays', async () => {
  const { answer } = await armingLate();
  await type(capField(), '7');
  await answer(ok(planned));
  await until(() => expect(location.hash).toBe(shot));
  await open();
  await until(() => byText('Change run 15'));
  expect(capField().value).toBe('7');
});

it('does not make what was left out while the night was being armed', async () => {
  const { made, answer } = await armingLate();
  await click(byText('Leave out: Make take 7 of shot 3'));
  await answer(ok({ ...planned, state: 'open' }));
  await until(() => expect(location.hash).toBe('#/queue/night'));
  expect(made()).toBe(0);
});

it('says on another page that the night is not planned, and the order comes along on the way back', async () => {
  const { order, leave, made, answer } = await armingLate();
  await leave();
  await answer(fail('invalid_input', 'end: must not be the start.', { field: 'end' }));
  const said = 'The run is not scheduled. Make take 7 of shot 3 is not in it.';
  await until(() => expect(document.querySelector('.toasts')?.textContent).toContain(said));
  expect(location.hash).toBe('#/library');
  await click(byText(labels.backToPlan, '.toasts button'));
  expect(location.hash).toBe('#/queue/night?plan=change');
  expect([useNightOrder.getState().order, made()]).toEqual([order, 0]);
});

it('an order that came along says at which gateway it is, and at another one it is not made', async () => {
  const sandbox = aProfile({ id: SANDBOX_PROFILE_ID, name: 'Sandbox' });
  useStudio.setState({ profiles: [sandbox, aProfile({ name: 'Studio' })], activeProfileId: 'p' });
  const studio = planning(null, () => dry);
  let made = 0;
  const onSend: Made = async () => void made++ as undefined;
  window.location.hash = '#/images';
  planNightFor({ what: 'Imagine', shown, onSend });
  await open();
  await until(() => expect(bar()).toContain('Real moneyStudio'));
  await canPress();
  useStudio.setState({ activeProfileId: sandbox.id });
  await until(() => expect(bar()).toContain('Imagine was priced at Studio, but another gateway is active.'));
  await spend();
  expect([armed(studio), made]).toEqual([[], 0]);
  await click(byText('Leave out'));
  await canPress();
  for (const [payer, words] of [
    ['p', 'Real moneyStudio'],
    [{ play: true }, labels.testMoney],
  ] as const) {
    planNightFor({ what: 'Request again', shown, onSend, payer });
    await until(() => expect(bar()).toContain(words));
  }
  await canPress();
});
