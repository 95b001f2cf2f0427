import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { type DryRun, type NightRun, type NightStatus, nightPlanSchema } from '../../../../shared/night.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { useStudio } from '../../../app/index.ts';
import { forgetNightOrder, planNightFor, useNightOrder } from '../../../spending/index.ts';
import { dry, over, planned, statusOf } from '../../../testing/aNight.ts';
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
      status = statusOf(run, over, [], 2);
      return answer(run);
    },
  });
  return { ...studio, tell: () => studio.emit({ type: 'night.changed', status }) };
}

const armed = (studio: FakeStudio) => studio.callsOf('night.plan');
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';
const bar = () => document.querySelector('.nplan .sendbar')?.textContent ?? '';

function capField(): HTMLInputElement {
  const [found] = [...document.querySelectorAll<HTMLInputElement>('.nplan input[inputmode=decimal]')];
  if (!found) throw new Error('no cap');
  return found;
}

async function open(hash = '#/queue/night'): Promise<void> {
  window.location.hash = hash;
  await show(<QueuePage />);
}

/** In the minute at which the plan begins by itself, a night that is started now would be the plan's own. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 22, 12) }));
afterEach(() => void vi.useRealTimers());

beforeEach(() => {
  useStudio.setState({ queue: undefined, budgets: [], profiles: [], activeProfileId: undefined });
  forgetNightOrder();
  for (const current of [null, planned]) forgetPlanDraft(statusOf(current));
});

it('while a changed plan is worked out its price is not there, and it cannot be armed', async () => {
  let answer = (_: DryRun): void => {};
  const studio = planning(null, ({ capNano }) =>
    capNano === 20_000_000_000 ? dry : new Promise<DryRun>((done) => (answer = done)),
  );
  await open();
  await until(() => expect(bar()).toContain('$0.40–3.20'));
  await until(() => expect(isOff(byText('Arm night 15'))).toBe(false));
  await type(capField(), '7');
  expect(bar()).not.toContain('$0.40–3.20');
  expect(bar()).toContain('What would be sent is being worked out.');
  await press('Enter', { ctrlKey: true }, capField());
  expect(armed(studio)).toEqual([]);
  await until(() => expect(studio.callsOf('night.dryRun')).toHaveLength(2));
  answer({ ...dry, totalNano: 6_000_000_000, totalLowNano: 5_000_000_000 });
  await until(() => expect(bar()).toContain('$5.00–6.00'));
  await press('Enter', { ctrlKey: true }, capField());
  await until(() => expect(armed(studio)).toMatchObject([{ capNano: 7_000_000_000 }]));
});

it('a plan that cannot be worked out says why, at its field if it is of one, and cannot be armed', async () => {
  const studio = planning(null, () => fail('invalid_input', 'end: must not be the start.', { field: 'end' }));
  await open();
  const main = () => document.querySelector('.q-main')?.textContent;
  await until(() => expect(main()).toContain('must not be the start.'));
  expect(document.querySelector('.q-main [role=status], .q-main .sk')).toBeNull();
  expect(document.querySelector('.nplan .scroll')?.textContent).toContain('To: must not be the start.');
  expect(isOff(byText('Arm night 15'))).toBe(true);
  await press('Enter', { ctrlKey: true });
  expect(armed(studio)).toEqual([]);
});

/** Relative: a draft that breaks a rule of its own is never tried, and the page loaded for ever. */
it('a plan that is not one yet says so, and nothing loads', async () => {
  planning(null, () => dry);
  await open();
  await until(() => expect(bar()).toContain('$0.40'));
  await type(capField(), 'much');
  await open('#/queue');
  await open();
  await until(() => expect(document.querySelector('.q-main')?.textContent).toContain('must be an amount in dollars'));
});

it('a studio that failed to work it out can be asked again', async () => {
  let isWell = false;
  planning(null, () => (isWell ? dry : fail('store_unavailable', 'The store is busy.')));
  await open();
  await until(() => byText(labels.tryAgain));
  isWell = true;
  await click(byText(labels.tryAgain));
  await until(() => expect(bar()).toContain('$0.40–3.20'));
});

const HOUR = 3_600_000;
const sandbox = { id: 'builtin:sandbox', name: 'Sandbox' };
const studioGateway = { id: 'p', name: 'Studio' };
const profiles = [sandbox, studioGateway] as never;
const shown = { estimateNano: 2_400_000_000, lowNano: 400_000_000, unpriced: 0 };

it('Start now prints its key, offers the night at what it sends from now on, and makes the order that came along', async () => {
  const soon = { ...dry, endsAt: Date.now() + 2 * HOUR, totalNano: 6_000_000_000, totalLowNano: 5_000_000_000 };
  const studio = planning(planned, ({ startsNow }) => (startsNow ? soon : dry));
  const made: string[] = [];
  const onSend = async () => void made.push(`after ${armed(studio).length} plan`) as undefined;
  await open();
  await until(() => byText(labels.startNow));
  useNightOrder.setState({ order: { what: 'Make take 7 of shot 3', shown, onSend, from: '#/storyboard?shot=3' } });
  expect(byText(labels.startNow).querySelector('.kbd')?.textContent).toBe('Shift ↵');
  await press('Enter', { shiftKey: true });
  await until(() => byText('Start night 15 and order', '.dlg button'));
  expect(armed(studio)).toEqual([]);
  const dialog = () => document.querySelector('.dlg')?.textContent;
  await until(() => expect(dialog()).toContain('$5.00–6.00'));
  expect(dialog()).toContain('Make take 7 of shot 3');
  await press('Enter', { ctrlKey: true });
  await until(() => expect(made).toEqual(['after 1 plan']));
  expect(location.hash).toBe('#/storyboard?shot=3');
  expect(armed(studio)).toHaveLength(1);
  expect(armed(studio)).toMatchObject([{ startsNow: true, start: '23:00' }]);
});

const added = {
  fits: [1, 2].map((n) => ({
    ...{ title: `Line ${n}`, nano: 3_000_000_000, lowNano: 3_000_000_000, lane: 'video:p', slot: 0 },
    ...{ startsAt: dry.startsAt, endsAt: dry.startsAt + HOUR },
  })),
  fitCount: 2,
  unfit: [
    {
      ...{ title: 'Line 3', nano: 3_000_000_000, lowNano: 3_000_000_000, reason: 'run' as const },
      message: 'It may cost $3.00; $1.00 is left of the cap of the day.',
      byNano: 2_000_000_000,
      cure: { type: 'cap' as const, capNano: 9_000_000_000 },
    },
  ],
  unfitCount: 1,
};
const lines = { readId: 'read_1' };
const ofLines = { what: 'Queue 3 jobs', shown, from: '#/queue?import=jobs', lines };

it('what came along stands in the plan as the studio tries it: what fits and when, what does not and why, and the price', async () => {
  const empty = { ...dry, fits: [], fitCount: 0, unfit: [], unfitCount: 0 };
  const studio = planning(planned, () => ({ ...empty, totalNano: 6_000_000_000, totalLowNano: 6_000_000_000, added }));
  const made: string[] = [];
  useNightOrder.setState({ order: { ...ofLines, onSend: async () => void made.push('made') as undefined } });
  await open('#/queue/night?plan=change');
  await until(() => byText('Line 3', '.nrow .cut'));
  expect(studio.callsOf('night.dryRun').at(-1)).toMatchObject({ added: lines });
  const rows = [...document.querySelectorAll('.grp, .nrow .what')].map(({ textContent }) => textContent);
  expect(rows).toEqual([
    'In the night 2$6.00 at most',
    'Line 1Scheduled with this plan',
    'Line 2Scheduled with this plan',
    `${labels.willNotFit} 1, they stay in the queue`,
    'Line 3It may cost $3.00; $1.00 is left of the cap of the day.',
  ]);
  expect(bar()).toContain('2 jobs');
  expect(bar()).toContain('1 job does not fit and will wait in the queue.');
  const list = document.querySelector('[aria-label="Jobs of the night"]') as HTMLElement;
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await press(key, {}, list);
  expect(document.querySelector('[role=option][aria-selected=true]')?.textContent).toContain('Line 3');
  await click(byText(labels.addToNight(15), '.sendbar button'));
  await until(() => expect(made).toEqual(['made']));
  expect(location.hash).toBe('#/queue?import=jobs');
});

it('Start now shows which of the lines that came along fit from now on, and which do not', async () => {
  planning(planned, ({ startsNow }) => (startsNow ? { ...dry, added } : dry));
  useNightOrder.setState({ order: { ...ofLines, onSend: async () => undefined } });
  await open('#/queue/night?plan=change');
  await until(() => byText(labels.startNow));
  await press('Enter', { shiftKey: true });
  await until(() => byText(labels.jobsFit(2, 2), '.dlg h3'));
  const shownLines = [...document.querySelectorAll('.dlg li')].map(({ textContent }) => textContent);
  expect(shownLines).toEqual([
    expect.stringMatching(/^Line 1at /),
    expect.stringMatching(/^Line 2at /),
    'Line 3$3.00It may cost $3.00; $1.00 is left of the cap of the day.',
  ]);
});

it('lines that the studio keeps no longer are not ordered, and the way back is said', async () => {
  planning(planned, () => fail('not_found', 'readId: that text is no longer kept.', { field: 'readId' }));
  useNightOrder.setState({ order: { ...ofLines, onSend: async () => undefined } });
  await open('#/queue/night?plan=change');
  await until(() => expect(bar()).toContain('The lines have to be read again. Go back, and choose Tonight again.'));
  expect(isOff(byText(labels.addToNight(15), '.sendbar button'))).toBe(true);
});

it('who has left the plan before the order is made is led nowhere', async () => {
  const studio = planning(null, () => dry);
  let made = (_: undefined): void => {};
  const onSend = () => new Promise<undefined>((done) => (made = done));
  await open();
  useNightOrder.setState({ order: { what: 'Make take 7 of shot 3', shown, onSend, from: '#/storyboard?shot=3' } });
  await until(() => expect(isOff(byText('Arm night 15 and order'))).toBe(false));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(armed(studio)).toHaveLength(1));
  window.location.hash = '#/library';
  await acting(() => made(undefined));
  expect(location.hash).toBe('#/library');
});

/** Presses *Arm night 15 and order*, and answers when it is told to; `made` counts the orders. */
async function armingLate() {
  let answer = (_: Result<NightRun>): void => {};
  const late = () => new Promise<Result<NightRun>>((done) => (answer = done));
  const studio = planning(null, () => dry, late);
  let made = 0;
  const onSend = async () => void made++ as undefined;
  await open();
  const order = { what: 'Make take 7 of shot 3', shown, onSend, from: '#/storyboard?shot=3' };
  useNightOrder.setState({ order });
  await until(() => expect(isOff(byText('Arm night 15 and order'))).toBe(false));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(armed(studio)).toHaveLength(1));
  const leave = async () => {
    window.location.hash = '#/library';
    await show(<Toasts />);
  };
  return { order, leave, made: () => made, answer: (result: Result<NightRun>) => acting(() => answer(result)) };
}

const said = () => document.querySelector('.toasts')?.textContent ?? '';

it('makes the order that it was pressed with also where the plan was left before the night is armed', async () => {
  const { leave, made, answer } = await armingLate();
  await leave();
  await answer(ok({ ...planned, state: 'planned' }));
  await until(() => expect(made()).toBe(1));
  expect(location.hash).toBe('#/library');
});

/** Relative: what was typed into the plan while it was being armed was gone with the answer. */
it('what is typed into the plan while it is being armed stays', async () => {
  const { answer } = await armingLate();
  await type(capField(), '7');
  await answer(ok({ ...planned, state: 'planned' }));
  await until(() => expect(location.hash).toBe('#/storyboard?shot=3'));
  await open();
  await until(() => byText('Change night 15'));
  expect(capField().value).toBe('7');
});

it('does not make what was left out while the night was being armed', async () => {
  const { made, answer } = await armingLate();
  await click(byText('Leave out: Make take 7 of shot 3'));
  await answer(ok({ ...planned, state: 'open' }));
  await until(() => expect(location.hash).toBe('#/queue/night'));
  expect(made()).toBe(0);
});

/** Relatives: a refusal that came after the plan was left was seen nowhere, and an open night led to itself from any page. */
it('says on another page that the night is not planned, and the order comes along on the way back', async () => {
  const { order, leave, made, answer } = await armingLate();
  await leave();
  await answer(fail('invalid_input', 'end: must not be the start.', { field: 'end' }));
  await until(() => expect(said()).toContain('The night is not planned so, and Make take 7 of shot 3 is not in it.'));
  expect(location.hash).toBe('#/library');
  await click(byText(labels.backToThePlan, '.toasts button'));
  expect(location.hash).toBe('#/queue/night?plan=change');
  expect(useNightOrder.getState().order).toBe(order);
  expect(made()).toBe(0);
});

it('an order that came along says at which gateway it is, and at another one it is not made', async () => {
  useStudio.setState({ profiles, activeProfileId: 'p' });
  const studio = planning(null, () => dry);
  const made: string[] = [];
  const onSend = async () => void made.push('made') as undefined;
  window.location.hash = '#/images';
  planNightFor({ what: 'Imagine', shown, onSend });
  await open();
  await until(() => expect(bar()).toContain('At Studio. Real money'));
  await until(() => expect(isOff(byText('Arm night 15 and order'))).toBe(false));
  useStudio.setState({ activeProfileId: sandbox.id });
  await until(() => expect(bar()).toContain('Imagine was priced at Studio, and another gateway is active now.'));
  await press('Enter', { ctrlKey: true });
  expect([armed(studio), made]).toEqual([[], []]);
  await click(byText('Leave out'));
  await until(() => expect(isOff(byText('Arm night 15'))).toBe(false));
  planNightFor({ what: 'Request again', shown, onSend, payer: 'p' });
  await until(() => expect(bar()).toContain('At Studio. Real money'));
  planNightFor({ what: 'Request 3 again', shown, onSend, payer: { play: true } });
  await until(() => expect(bar()).toContain(labels.playMoneyNobodyIsBilled));
  await until(() => expect(isOff(byText('Arm night 15 and order'))).toBe(false));
});
