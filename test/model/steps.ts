import fc from 'fast-check';
import { setBudget } from '../../src/main/core/ledger/index.ts';
import { sql } from '../../src/main/core/store/index.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { VIDEO_NANO } from '../helpers/engineHarness.ts';
import { settle } from '../helpers/testPorts.ts';
import type { Invariants } from './invariants.ts';
import { FATES, type Fate, TASK_ENDS, type TaskEnd } from './service.ts';
import { type CrashPoint, RunKilled, type World } from './world.ts';

/** What can happen to the engine, as data, so that a failing run can be shrunk and printed. */
export type Step =
  | { do: 'enqueue'; kind: 'video' | 'imagine' | 'chat'; count: number; after?: number; inMinutes?: number }
  | { do: 'fates'; fates: Fate[] }
  | { do: 'pass'; seconds: number }
  | { do: 'answer' | 'webhook' | 'cancel' | 'retry' | 'move'; which: number }
  | { do: 'end'; which: number; end: TaskEnd }
  | { do: 'resolve'; which: number; as: 'lookup' | 'again' | 'lost' | 'resend' }
  | { do: 'pollFaults' | 'slowPolls'; count: number }
  | { do: 'pause' | 'resume' | 'takeKey' | 'giveKey' | 'restart' }
  | { do: 'cap'; videos: number | null }
  | { do: 'kill'; at: CrashPoint }
  | { do: 'jump'; minutes: number };

const which = fc.nat(20);
const one = <T extends Step['do']>(name: T) => fc.record({ do: fc.constant(name) }) as fc.Arbitrary<Step>;
const onOne = (name: 'answer' | 'webhook' | 'cancel' | 'retry' | 'move') =>
  fc.record({ do: fc.constant(name), which }) as fc.Arbitrary<Step>;

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        do: fc.constant('enqueue' as const),
        kind: fc.constantFrom('video', 'imagine', 'chat'),
        count: fc.integer({ min: 1, max: 3 }),
        after: which,
        inMinutes: fc.integer({ min: 1, max: 30 }),
      },
      { requiredKeys: ['do', 'kind', 'count'] },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('fates' as const),
      fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(600, 4_000) }) },
  { weight: 3, arbitrary: onOne('answer') },
  { weight: 3, arbitrary: onOne('webhook') },
  { weight: 3, arbitrary: onOne('cancel') },
  { weight: 2, arbitrary: onOne('retry') },
  { weight: 1, arbitrary: onOne('move') },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end' as const), which, end: fc.constantFrom(...TASK_ENDS) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      which,
      as: fc.constantFrom('lookup', 'lost', 'resend'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('resolve' as const), which, as: fc.constant('again' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pollFaults' as const), count: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('slowPolls' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: one('pause') },
  { weight: 2, arbitrary: one('resume') },
  { weight: 1, arbitrary: one('takeKey') },
  { weight: 2, arbitrary: one('giveKey') },
  { weight: 2, arbitrary: one('restart') },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cap' as const), videos: fc.option(fc.nat(6), { nil: null, freq: 4 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      at: fc.record({ after: fc.nat(4), written: fc.boolean() }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), minutes: fc.integer({ min: -300, max: 1_500 }) }),
  },
);

const KEY = sql('model.key', 'SELECT idempotency_key AS key FROM jobs WHERE id = $id');

/** Performs one step. A call whose run was killed meanwhile never returns, and has acknowledged nothing. */
export async function playStep(world: World, known: Invariants, step: Step): Promise<void> {
  let fault: unknown;
  let over = false;
  const played = act(world, known, step)
    .catch((thrown: unknown) => {
      fault = thrown;
    })
    .finally(() => {
      over = true;
    });
  while (!over && world.isAlive()) {
    await settle();
    // A look-up waits for its poll, whose answer the service may hold: nothing else would ever release it.
    if (!over && step.do === 'resolve') world.service.answerSlow(0);
  }
  if (over) await played;
  if (fault !== undefined && !(fault instanceof RunKilled)) throw fault;
  await world.calm();
}

async function act(world: World, known: Invariants, step: Step): Promise<void> {
  const { engine, store, coreEvents } = world.harness();
  const pick = (among: readonly string[], index: number): string => among[index % Math.max(1, among.length)] ?? 'none';
  const ids = [...known.acknowledged];
  const inState = (...states: string[]) =>
    known.jobs().flatMap(({ id, state }) => (states.includes(state) ? [id] : []));
  switch (step.do) {
    case 'enqueue': {
      const dependsOn = step.after === undefined || ids.length === 0 ? [] : [pick(ids, step.after)];
      const notBefore = step.inMinutes === undefined ? undefined : world.now() + step.inMinutes * 60_000;
      const requests = Array.from({ length: step.count }, () => REQUESTS[step.kind]);
      const made = await engine.commands.enqueue({
        requests,
        dependsOn,
        ...(notBefore === undefined ? {} : { notBefore }),
      });
      if (!made.ok) throw new Error(made.error.message);
      for (const { id } of made.data.jobs) known.acknowledged.add(id);
      return;
    }
    case 'fates':
      world.service.fates.push(...step.fates);
      return;
    case 'pass':
      return world.pass(step.seconds * 1_000);
    case 'answer':
      return world.service.answerSlow(step.which);
    case 'webhook':
      return void coreEvents.emit('webhook.received', pick(ids, step.which));
    case 'cancel':
      return void engine.commands.cancel(pick(ids, step.which));
    case 'retry': {
      const again = await engine.commands.retry({ id: pick(inState('failed', 'canceled', 'blocked'), step.which) });
      if (again.ok) known.acknowledged.add(again.data.id);
      return;
    }
    case 'move':
      return void engine.commands.move(pick(inState('queued', 'blocked'), step.which), undefined);
    case 'end':
      return world.service.end(step.which, step.end);
    case 'resolve': {
      const id = pick(inState('uncertain'), step.which);
      const key = store.read.one<{ key: string }>(KEY, { id })?.key;
      if (step.as === 'resend' && key !== undefined) world.permit(key);
      await engine.commands.resolve({ id, as: step.as });
      return;
    }
    case 'pollFaults':
      world.service.pollFaults = step.count;
      return;
    case 'slowPolls':
      world.service.slowPolls = step.count;
      return;
    case 'pause':
    case 'resume':
      return engine.commands.setPaused(step.do === 'pause');
    case 'takeKey':
      world.hasKey = false;
      return;
    case 'giveKey':
      world.hasKey = true;
      return void coreEvents.emit('profile.changed', 'p');
    case 'restart':
      return world.kill();
    case 'cap': {
      const hardNano = step.videos === null ? null : step.videos * VIDEO_NANO;
      store.transaction((db) => setBudget(db, { scope: 'day', hardNano }));
      return void coreEvents.emit('budgets.changed');
    }
    case 'kill':
      return world.kill(step.at);
    case 'jump':
      return world.jump(step.minutes * 60_000);
  }
}

const REQUESTS: Record<'video' | 'imagine' | 'chat', StudioRequest> = {
  video: { kind: 'video', model: 'video-standard', prompt: 'A quay at night', config: { durationSeconds: 4 } },
  imagine: { kind: 'imagine', prompt: 'A quay at night' },
  chat: { kind: 'chat', model: 'language', messages: [{ role: 'user', content: 'Say good morning.' }] },
};
