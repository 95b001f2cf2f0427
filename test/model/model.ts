import fc from 'fast-check';
import { setBudget } from '../../src/main/core/ledger/index.ts';
import { isTerminal } from '../../src/shared/jobs/job.ts';
import { Invariants } from './invariants.ts';
import { FATES } from './service.ts';
import { playStep, type Step, stepArbitrary } from './steps.ts';
import { World } from './world.ts';

/** What the runs contained: runs in which nothing happens prove nothing. */
export interface RunTotals {
  steps: number;
  jobs: number;
  sends: number;
  lives: number;
  doubts: number;
  asked: number;
}

/** Runs the steps and checks all invariants after each, then lets everything come to rest. Throws if one is broken. */
export async function playRun(honoursKeys: boolean, steps: readonly Step[]): Promise<RunTotals> {
  const world = new World({ honoursKeys });
  const known = new Invariants(world);
  try {
    for (const [index, step] of steps.entries()) {
      await playStep(world, known, step);
      claim(known.check(), `after step ${index + 1}, ${JSON.stringify(step)}`);
    }
    await comeToRest(world, known);
    return {
      steps: steps.length,
      jobs: known.acknowledged.size,
      sends: [...world.sent.values()].reduce((sum, times) => sum + times, 0),
      lives: world.lives,
      doubts: known.doubted.size,
      asked: world.asked,
    };
  } finally {
    await world.close();
  }
}

function claim(broken: string[], when: string): void {
  if (broken.length > 0) throw new Error(`${when}: ${broken.join('; ')}`);
}

const HOUR_MS = 3_600_000;

/** With a healthy gateway and no blocks, every job ends, is unconfirmed, or waits for an unconfirmed one. */
async function comeToRest(world: World, known: Invariants): Promise<void> {
  world.spare();
  await world.calm();
  world.service.fates = [];
  world.service.pollFaults = 0;
  world.service.slowPolls = 0;
  world.hasKey = true;
  const { engine, store, coreEvents } = world.harness();
  store.transaction((db) => setBudget(db, { scope: 'day', hardNano: null }));
  coreEvents.emit('budgets.changed');
  engine.commands.setPaused(false);
  const open = () => known.jobs().filter(({ state }) => !isTerminal(state) && state !== 'uncertain');
  const inDoubt = () => known.jobs().some(({ state }) => state === 'uncertain');
  for (let hour = 0; hour < 40; hour++) {
    while (world.service.waiting > 0) world.service.answerSlow(0);
    // Also releases jobs that a refusal still on its way blocks meanwhile.
    coreEvents.emit('profile.changed', 'p');
    await world.pass(hour < 4 ? 60_000 : HOUR_MS);
    claim(known.check(), 'at rest');
    if (open().every(({ reason }) => reason === 'dependency' && inDoubt())) break;
  }
  const left = open().filter(({ reason }) => reason !== 'dependency' || !inDoubt());
  claim(
    left.map(
      ({ id, state, reason }) =>
        `${id} is still ${state}${reason ? ` (${reason})` : ''}, and nothing stands in its way`,
    ),
    'at rest',
  );
  await endDoubts(world, known);
}

/** The user resolves every unconfirmed job: repeats or looks it up, then marks it lost. Afterwards nothing is open. */
async function endDoubts(world: World, known: Invariants): Promise<void> {
  const { engine } = world.harness();
  for (const { id, state } of known.jobs())
    if (state === 'uncertain') await engine.commands.resolve({ id, as: 'again' });
  await world.pass(10 * 60_000);
  claim(known.check(), 'asked for again');
  const doubts = known.jobs().filter(({ state }) => state === 'uncertain');
  for (const { id, key } of doubts) {
    const before = world.sent.get(key);
    await engine.commands.resolve({ id, as: 'lookup' });
    if (world.sent.get(key) !== before) throw new Error(`the look-up of ${id} sent its order`);
  }
  await world.pass(10 * 60_000);
  for (const { id, state } of known.jobs())
    if (state === 'uncertain') await engine.commands.resolve({ id, as: 'lost' });
  await world.pass(2 * HOUR_MS);
  claim(known.check(), 'after the last doubt');
  const left = known.jobs().filter(({ state }) => !isTerminal(state));
  claim(
    left.map(({ id, state, reason }) => `${id} is still ${state} (${reason})`),
    'after the last doubt',
  );
}

/** Plays many runs from one seed. Throws with the smallest failing run and the seed that repeats it. */
export async function runModel(options: { seed: number; runs: number; longest?: number }): Promise<RunTotals> {
  const sum: RunTotals = { steps: 0, jobs: 0, sends: 0, lives: 0, doubts: 0, asked: 0 };
  const steps = fc.array(stepArbitrary, { minLength: 5, maxLength: options.longest ?? 40, size: 'max' });
  const fates = fc.array(fc.constantFrom(...FATES), { maxLength: 8, size: 'max' });
  const property = fc.asyncProperty(fc.boolean(), fates, steps, async (honoursKeys, first, chosen) => {
    const begin: Step[] = [
      { do: 'fates', fates: first },
      { do: 'enqueue', kind: 'video', count: 2 },
    ];
    const told = await playRun(honoursKeys, [...begin, ...chosen]);
    for (const name of Object.keys(sum) as (keyof RunTotals)[]) sum[name] += told[name];
  });
  await fc.assert(property, { seed: options.seed, numRuns: options.runs });
  return sum;
}
