import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { fail } from '../../../../shared/contract/result.ts';
import { type NightRun, nightPlanSchema } from '../../../../shared/jobs/night.ts';
import { DEFAULT_PRICES } from '../../../../shared/money/price.ts';
import { useStudio } from '../../../app/index.ts';
import { forgetNightOrder, type NightOrder, useNightOrder } from '../../../spending/index.ts';
import { dry, over, planned, statusOf } from '../../../testing/aNight.ts';
import { aProfile } from '../../../testing/aProfile.ts';
import {
  type Answers,
  acting,
  aJob,
  byText,
  click,
  clickOn,
  fakeStudio,
  press,
  show,
  type,
  until,
} from '../../../testing/page.tsx';
import { Toasts } from '../../../ui/index.ts';
import { QueuePage } from '../QueuePage.tsx';
import { forgetPlanDraft } from './planDraft.ts';

/** A studio that plans what it is told: the night that was armed is the one that `night.get` answers from then on. */
async function planning(more: Answers = {}, hash?: string) {
  let night: NightRun | null = null;
  const studio = fakeStudio({
    'jobs.list': () => ({ jobs: [], total: 0 }),
    'night.get': () => statusOf(night, over, night ? 2 : 1),
    'night.dryRun': () => dry,
    'night.plans': () => ({ plans: [] }),
    'night.plan': (input) => {
      const { date: _, ...plan } = nightPlanSchema.parse(input);
      night = { ...planned, ...plan };
      return night;
    },
    ...more,
  });
  const armed = () => studio.callsOf('night.plan');
  /** So many plans were sent, and the page is told of the last. */
  const isArmed = async (count = 1) => {
    await until(() => expect(armed()).toHaveLength(count));
    await studio.emit({ type: 'night.changed', status: statusOf(planned, over, 2) });
    await until(() => byText('Change run 15'));
  };
  await open(hash);
  return { ...studio, armed, isArmed };
}

const arm = () => byText('Schedule run 15');
const spend = (at?: EventTarget) => press('Enter', { ctrlKey: true }, at);

/** Waits until what would be sent stands beside the button, and with it the way to arm it. */
const ready = (label = 'Schedule run 15') =>
  until(() => expect(byText(label).getAttribute('aria-disabled'), label).toBeNull());

async function open(hash = '#/queue/night'): Promise<void> {
  window.location.hash = hash;
  await show(
    <>
      <QueuePage />
      <Toasts />
    </>,
  );
}

/** The input that is called so, by its own label or by that of its rule. */
function field(label: string): HTMLInputElement {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('aside input:not([type=checkbox])')];
  const found = inputs.find((input) => {
    const by = input.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const names = [...(input.labels ?? []), ...by.map((id) => document.getElementById(id))];
    const texts = [input.getAttribute('aria-label'), ...names.map((name) => name?.textContent)];
    return texts.some((text) => text?.includes(label));
  });
  if (!found) throw new Error(`no field is named ${label}`);
  return found;
}

const capField = () => field(labels.hardCap);
const fields = () => document.querySelector('aside .scroll')?.textContent;
const rows = () => document.querySelector('.nightp')?.textContent;

beforeEach(() => {
  useStudio.setState({ queue: undefined, budgets: [], profiles: [] });
  forgetNightOrder();
  for (const current of [null, planned]) forgetPlanDraft(statusOf(current));
});

it('plans a night from the keyboard: hours, cap and rules as they are typed', async () => {
  const { armed, isArmed } = await planning();
  await until(arm);
  await type(capField(), '12.50');
  await click(byText(labels.refusalsInARow, 'label'));
  await press('Enter', {}, capField());
  expect(armed()).toEqual([]);
  await ready();
  await spend(capField());
  await isArmed();
  const rules = { failuresInRow: 3, refusalsInRow: null, diskFloorBytes: 20_000_000_000 };
  expect(armed()).toMatchObject([{ start: '23:00', end: '07:00', capNano: 12_500_000_000, rules }]);
});

it('pressed again before the page has read of it, the same night is armed', async () => {
  const { armed, isArmed, callsOf } = await planning();
  await until(arm);
  await type(capField(), '1.90');
  await ready();
  await spend();
  await until(() => expect(callsOf('night.get')).toHaveLength(2));
  expect(capField().value).toBe('1.90');
  await ready();
  await spend();
  await isArmed(2);
  expect(armed()[1]).toEqual(armed()[0]);
});

it.each([
  [labels.hardCap, 'much', `${labels.hardCap}: must be an amount in dollars`],
  ['Failures in a row', '0', 'Failures in a row: must be at least 1'],
  [labels.to, '25:00', 'To: must be a time of day such as 23:00'],
])('%s: %s is refused at its field, and nothing is sent', async (label, text, refusal) => {
  const { armed } = await planning();
  await until(arm);
  await type(field(label), text);
  await until(() => expect(fields()).toContain(refusal));
  await click(arm());
  expect(armed()).toEqual([]);
});

it('puts a refusal of the studio at its field', async () => {
  await planning({ 'night.plan': () => fail('invalid_input', 'end: must not be the start.', { field: 'end' }) });
  await ready();
  await click(arm());
  await until(() => expect(fields()).toContain('To: must not be the start.'));
});

it('what is typed is there again after another page, until it is armed', async () => {
  const { armed, isArmed } = await planning();
  await until(arm);
  await type(capField(), '7');
  await open('#/queue');
  await until(() => byText(labels.planANight, 'a'));
  await open('#/queue?plan=night');
  await until(arm);
  expect(capField().value).toBe('7');
  await ready();
  await click(arm());
  await isArmed();
  expect(armed()).toMatchObject([{ capNano: 7_000_000_000 }]);
  // Armed as it stands there, there is nothing to change.
  await until(() => expect(byText('Change run 15').getAttribute('aria-disabled')).toBe('true'));
  await type(capField(), '8');
  await ready('Change run 15');
  await click(byText('Change run 15'));
  await until(() => expect(armed()).toHaveLength(2));
});

it('the cheaper reading can count, and the page says by how much the bill may be higher', async () => {
  const above = { ...dry, capReading: 'low' as const, aboveCountedNano: 2_800_000_000 };
  const { armed, isArmed } = await planning({
    'night.dryRun': ({ plan }) => (plan?.capReading === 'low' ? above : dry),
  });
  await until(arm);
  await click(byText(labels.priceCounted));
  await click(byText(labels.cheaperReading, '[role=option]'));
  const money = () => byText(labels.hardCap, '.nplan .sec').textContent;
  await until(() => expect(money()).toContain('The bill may be higher by up to $2.80'));
  await ready();
  await click(arm());
  await isArmed();
  expect(armed()).toMatchObject([{ capReading: 'low' }]);
});

const gateway = aProfile({ prices: DEFAULT_PRICES });
const pro = { kind: 'video' as const, model: 'video-pro', prompt: 'Rain', config: { durationSeconds: 4 as const } };
const job = aJob({
  ...{ id: 'pro', state: 'blocked', reason: 'budget', model: 'video-pro', request: pro, revision: 7 },
  money: { ...aJob().money, estimateNano: 8_000_000_000, estimateLowNano: 2_000_000_000, reservedNano: 0 },
});
const lacks = { jobId: 'pro', nano: 8_000_000_000, lowNano: 2_000_000_000, message: 'It may cost $8.00.' };
const cap = { type: 'cap' as const, capNano: 25_000_000_000 };
const short = { ...lacks, reason: 'run' as const, byNano: 5_000_000_000, cure: cap };

it('what lacks money can be made with a cheaper model at its price, chosen by the user, and the dry run follows', async () => {
  const edited = { ...job, model: 'video-standard', request: { ...pro, model: 'video-standard' }, revision: 8 };
  let now = job;
  useStudio.setState({ profiles: [gateway] });
  const { emit, callsOf } = await planning({
    'jobs.get': () => now,
    'jobs.edit': () => {
      now = edited;
      return edited;
    },
    'night.dryRun': () => (now === edited ? dry : { ...dry, unfit: [short], unfitCount: 1 }),
  });
  await clickOn(labels.options, '.nrow button');
  await until(() => byText('Use video-standard up to $1.60', '.mi'));
  byText(labels.capTo('$25.00'), '.mi');
  expect(callsOf('jobs.edit')).toEqual([]);
  await click(byText('Use video-standard', '.mi'));
  const shown = { estimateNano: 1_600_000_000, lowNano: 400_000_000, unpriced: 0 };
  const sent = { id: 'pro', request: edited.request, revision: 7, shown };
  await until(() => expect(callsOf('jobs.edit')).toEqual([sent]));
  await emit({ type: 'job.changed', job: edited });
  await until(() => expect(rows()).not.toContain('It may cost $8.00.'));
});

it('where no model is cheaper, or money is not what it lacks, there is one way and no list of them', async () => {
  const late = { ...lacks, reason: 'time' as const, byMs: 60_000, cure: { type: 'first' as const } };
  useStudio.setState({ profiles: [gateway] });
  await planning({
    'jobs.get': ({ id }) => (id === 'one' ? aJob({ id }) : job),
    'night.dryRun': () => ({ ...dry, unfit: [late, { ...short, jobId: 'one' }], unfitCount: 2 }),
  });
  await until(() => byText(labels.runFirst, '.nrow button'));
  await until(() => byText(labels.capTo('$25.00'), '.nrow button'));
  expect(rows()).not.toContain(labels.options);
});

it('a plan is kept, taken over and removed, and a removal can be undone', async () => {
  const { end, capNano, capReading, rules, days, keepAwake, notify } = planned;
  const weekend = { start: '22:15', end, capNano, capReading, rules, days, keepAwake, notify };
  const { callsOf } = await planning({
    'night.plans': () => ({ plans: [{ id: 'plan_1', name: 'Weekend', plan: weekend }] }),
    'night.savePlan': ({ id = 'plan_2', name }) => ({ id, name, plan: weekend }),
    'night.removePlan': () => null,
  });
  const name = () => field(labels.nameOfThePlan);
  const saved = () => callsOf('night.savePlan');
  await clickOn(labels.planAs, '[role=combobox]');
  await clickOn('Weekend', '[role=option]');
  await until(() => expect(field(labels.from).value).toBe('22:15'));
  await clickOn(labels.savePlan);
  await type(name(), 'Friday');
  await press('Enter', {}, name());
  await until(() => expect(saved()).toMatchObject([{ name: 'Friday' }]));
  await clickOn(labels.savePlan);
  await press('Escape', {}, name());
  expect([location.hash, saved().length]).toEqual(['#/queue/night', 1]);
  await click(byText(labels.removeOf('Weekend')));
  await until(() => expect(callsOf('night.removePlan')).toEqual([{ id: 'plan_1' }]));
  await clickOn(labels.undo, '.nplan .outcome button');
  await until(() => expect(saved().slice(1)).toMatchObject([{ name: 'Weekend' }]));
});

it('asks before a run is canceled, since it does not open again', async () => {
  const { callsOf } = await planning({ 'night.get': () => statusOf(planned, over), 'night.stop': () => over });
  await clickOn(labels.cancelTheNight, 'aside button');
  expect(callsOf('night.stop')).toEqual([]);
  await clickOn(labels.cancelTheNight, '.dlg button');
  expect(callsOf('night.stop')).toEqual([{ runId: planned.id }]);
});

it('says that a repeating night did not open again, and why', async () => {
  const notOpened = 'Overnight run 14 did not start again: its cap is test money.';
  await planning({ 'night.get': () => statusOf(null, { ...over, notOpened }) });
  await until(() => expect(byText(labels.plan, 'aside.nplan').textContent).toContain(notOpened));
  await open('#/queue');
  await until(() => expect(document.querySelector('aside.top-line')?.textContent).toContain(notOpened));
});

const shown = { estimateNano: 2_400_000_000, lowNano: 400_000_000, unpriced: 0 };
const from = '#/storyboard?shot=3';
const comesAlong = (onSend: NightOrder['onSend']) =>
  useNightOrder.setState({ order: { what: 'Make take 7 of shot 3', shown, onSend, from } });

it('an order that came along stands at the button with its price, is made once the night is armed, and leads back', async () => {
  const made: string[] = [];
  comesAlong(async () => void made.push(`after ${armed().length} plan`) as undefined);
  const { armed } = await planning();
  await ready();
  const bar = document.querySelector('.nplan .sendbar')?.textContent;
  for (const words of ['Make take 7 of shot 3', 'up to $2.40']) expect(bar).toContain(words);
  await spend();
  await spend();
  await until(() => expect(location.hash).toBe(from));
  await spend();
  expect(made).toEqual(['after 1 plan']);
});

const refusal = 'The price is another one now.';

it.each([
  [refusal, `Overnight run 15 is scheduled. Make take 7 of shot 3 is not in it. ${refusal}`],
  // Of several orders some may be in it.
  [
    { failure: refusal, sent: '3 of 5 are ordered.' },
    `Overnight run 15 is scheduled. Make take 7 of shot 3: ${refusal} 3 of 5 are ordered.`,
  ],
])('where the order is refused, the page it came from is back, and it is said: %j', async (failure, text) => {
  comesAlong(async () => failure);
  await planning();
  await ready();
  await spend();
  await until(() => expect(location.hash).toBe(from));
  expect(document.body.textContent).toContain(text);
});

it('an order that is left out, or whose plan is left by Esc, is not made', async () => {
  const onSend = async () => 'It must not be asked for.';
  comesAlong(onSend);
  const { isArmed } = await planning();
  await until(() => byText('Schedule run 15'));
  await press('Escape');
  expect(location.hash).toBe(from);
  await until(() => expect(useNightOrder.getState().order).toBeUndefined());
  await open();
  comesAlong(onSend);
  await clickOn('Leave out');
  await ready();
  await click(arm());
  await isArmed();
  expect(document.body.textContent).not.toContain('must not be asked');
});

it('a double click on a job of the plan shows it in the queue', async () => {
  await planning({ 'jobs.get': ({ id }) => aJob({ id, request: { kind: 'imagine', prompt: 'Too dear' } }) });
  await until(() => byText('Too dear', '[role=option] .cut'));
  const row = document.querySelector('[role=option]');
  await acting(() => row?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
  expect(location.hash).toMatch(/^#\/queue\?job=\w+$/);
});

it('says what is reserved while it waits', async () => {
  await planning();
  const bar = () => document.querySelector('.nplan .sendbar')?.textContent;
  await until(() => expect(bar()).toContain('Reserved'));
});

it('says that nothing waits for the night, and has no list of it then', async () => {
  const none = { ...dry, fits: [], fitCount: 0, unfit: [], unfitCount: 0, totalNano: 0 };
  await planning({ 'night.dryRun': () => none });
  await until(() => expect(rows()).toContain('No jobs tonight'));
  expect(document.querySelector('.nightp [role="listbox"]')).toBeNull();
});
