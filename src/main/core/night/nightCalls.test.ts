import { expect, test } from 'vitest';
import { DOLLAR, EVENING } from '../../../../test/helpers/nightHarness.ts';
import { TestClock } from '../../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';

/** The calls of a night as a page or a tool makes them. */

const openStudio = studiosOfThisFile();

const clock = new TestClock(EVENING);

const open = (dataDir?: string) =>
  openStudio({ ports: { clock, freeBytes: () => 1e12 }, ...(dataDir === undefined ? {} : { dataDir }) });

const PLAN = { start: '23:00', end: '07:00', capNano: 20 * DOLLAR };
const image = { kind: 'imagine', prompt: 'a lamp' };

test.each([
  ['night.plan', { ...PLAN, start: '24:00' }, 'start', 'start: must be a time of day such as 23:00'],
  ['night.plan', { ...PLAN, end: '23:00' }, 'end', 'end: must not be the start.'],
  ['night.plan', { start: '23:00', end: '07:00' }, 'capNano', 'capNano: is missing; it must be a number'],
  ['night.plan', { ...PLAN, capNano: -1 }, 'capNano', 'capNano: must be at least 0'],
  ['night.plan', { ...PLAN, startsNow: 1 }, 'startsNow', 'startsNow: must be true or false'],
  ['night.plan', { ...PLAN, startsNow: true }, 'endsAt', 'endsAt: is needed with startsNow, as its dry run shows it.'],
  [
    'night.plan',
    { ...PLAN, date: '2099-11-22', startsNow: true, endsAt: 1 },
    'startsNow',
    'startsNow: must not be true with a date.',
  ],
  [
    'night.plan',
    { ...PLAN, rules: { failuresInRow: 0 } },
    'rules.failuresInRow',
    'rules.failuresInRow: must be at least 1',
  ],
  ['night.plan', { ...PLAN, rules: { errors: 1 } }, 'rules.errors', 'rules.errors: there is no such field here.'],
  [
    'jobs.enqueue',
    { requests: [image], night: true },
    'night',
    'night: no overnight run is scheduled; schedule one first.',
  ],
  ['night.assign', { ids: [], night: true }, 'ids', 'ids: needs at least one entry'],
  ['budgets.set', { scope: 'run', hardNano: 1 }, 'scope', 'scope: no overnight run is scheduled; schedule one first.'],
])('%s: a refusal names the field and the rule: %j', async (call, input, field, message) => {
  const { studio } = await open();
  expect(await studio.call(call, input)).toMatchObject({ ok: false, error: { message, data: { field } } });
});

test('a missing night is reported in a sentence', async () => {
  const { studio } = await open();
  for (const call of ['night.stop', 'night.dryRun'])
    expect(await studio.call(call, {})).toMatchObject({ ok: false, error: { code: 'wrong_state' } });
  expect(await studio.call('night.report', {})).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await studio.call('night.get', {})).toMatchObject({
    ok: true,
    data: { current: null, last: null, leftOver: [] },
  });
});

test('its cap is the budget of scope run, changes are announced, and everything is there after a restart', async () => {
  const { studio, events, dataDir, close } = await open();
  await studio.call('night.plan', PLAN);
  const changes = () => events.filter(({ type }) => type === 'night.changed').length;
  expect(changes()).toBeGreaterThan(0);
  const before = changes();
  const budgets = await studio.call('budgets.set', { scope: 'run', hardNano: 12 * DOLLAR, softNano: 10 * DOLLAR });
  expect(budgets).toMatchObject({
    data: { budgets: [{ scope: 'run', runId: expect.stringMatching(/^night_/), hardNano: 12 * DOLLAR }] },
  });
  expect(changes()).toBeGreaterThan(before);
  expect(await studio.call('budgets.set', { scope: 'run', hardNano: null })).toMatchObject({
    error: { data: { field: 'hardNano' } },
  });
  const enqueued = await studio.call('jobs.enqueue', { requests: [image, image], night: true });
  expect(enqueued).toMatchObject({ data: { jobs: [{ state: 'blocked', reason: 'window' }, { reason: 'window' }] } });
  expect(await studio.call('night.dryRun', {})).toMatchObject({ data: { jobs: 2, capNano: 12 * DOLLAR } });
  await close();
  const { studio: again } = await open(dataDir);
  expect(await again.call('night.get', {})).toMatchObject({
    data: { current: { state: 'planned', capNano: 12 * DOLLAR, jobs: { waiting: 2 } } },
  });
  expect(await again.call('night.stop', {})).toMatchObject({ data: { state: 'ended', endedBy: 'user' } });
  expect(await again.call('night.get', {})).toMatchObject({ data: { current: null, leftOver: [{}, {}] } });
  expect(await again.call('budgets.list', {})).toEqual({ ok: true, data: { budgets: [] } });
});

test.each([
  ['the cap of the run', { capNano: 6 * DOLLAR }, undefined],
  ['the cap of the day', {}, 5 * DOLLAR],
  ['its hours', { end: '23:03' }, undefined],
])(
  'lines of a text are tried before they are queued, by the rule that holds once they are: %s',
  async (_, hours, day) => {
    const { studio, ask } = await open();
    if (day) await studio.call('budgets.set', { scope: 'day', hardNano: day, play: true });
    const plan = { ...PLAN, ...hours };
    const prompts = Array.from({ length: 12 }, (_, n) => `Line ${n}`);
    const input = { text: prompts.join('\n'), format: 'lines', defaults: { kind: 'video', seconds: '8' } };
    const { readId } = await ask('batch.read', input as never);
    const { added, fitCount, ...before } = await ask('night.dryRun', { plan, added: { readId } });
    expect(fitCount).toBe(0);
    expect(added?.fits.concat(added.unfit as never).map(({ title }) => title)).toEqual(prompts);
    await ask('night.plan', plan);
    await ask('batch.enqueue', { readId, night: true });
    const after = await ask('night.dryRun', {});
    const nameless = (jobs: { title?: string; jobId?: string }[] = []) => jobs.map(({ title, jobId, ...job }) => job);
    expect(nameless(added?.fits)).toEqual(nameless(after.fits));
    expect(nameless(added?.unfit)).toEqual(nameless(after.unfit));
    expect([added?.fitCount, added?.unfitCount]).toEqual([after.fitCount, after.unfitCount]);
    expect(Math.min(after.fitCount, after.unfitCount)).toBeGreaterThan(0);
    const { totalNano, capLeftNano, endsAbout, money, lanes, notes } = after;
    expect(before).toMatchObject({ totalNano, capLeftNano, endsAbout, money, lanes, notes });
  },
);

test('a request of which only the price is known is tried under the caps, and takes no time', async () => {
  const { studio, ask } = await open();
  await studio.call('budgets.set', { scope: 'day', hardNano: 2 * DOLLAR, play: true });
  const tried = (nano: number) => {
    const shown = { estimateNano: nano, lowNano: nano, unpriced: 0 };
    return ask('night.dryRun', { plan: PLAN, added: { title: 'A chain', shown, play: true } });
  };
  expect(await tried(2 * DOLLAR)).toMatchObject({
    totalNano: 2 * DOLLAR,
    lanes: [],
    added: { fitCount: 1, unfit: [] },
  });
  expect((await tried(3 * DOLLAR)).added).toMatchObject({ fitCount: 0, unfit: [{ title: 'A chain', reason: 'day' }] });
});
