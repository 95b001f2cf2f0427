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
  | {
      do: 'enqueue';
      kind: 'video' | 'imagine' | 'chat';
      count: number;
      after?: number | undefined;
      inMinutes?: number | undefined;
    }
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
const from = (min: number, max: number) => fc.integer({ min, max });
const optional = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: undefined });
const step = (weight: number, name: Step['do'], fields: Record<string, fc.Arbitrary<unknown>> = {}) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...fields }) as fc.Arbitrary<Step>,
});

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  step(8, 'enqueue', {
    kind: fc.constantFrom('video', 'imagine', 'chat'),
    count: from(1, 3),
    after: optional(which),
    inMinutes: optional(from(1, 30)),
  }),
  step(5, 'fates', { fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }) }),
  step(6, 'pass', { seconds: from(1, 90) }),
  step(1, 'pass', { seconds: fc.constantFrom(600, 4_000) }),
  step(3, 'answer', { which }),
  step(3, 'webhook', { which }),
  step(3, 'cancel', { which }),
  step(2, 'retry', { which }),
  step(1, 'move', { which }),
  step(3, 'end', { which, end: fc.constantFrom(...TASK_ENDS) }),
  step(4, 'resolve', { which, as: fc.constantFrom('lookup', 'lost', 'resend') }),
  step(5, 'resolve', { which, as: fc.constant('again') }),
  step(1, 'pollFaults', { count: from(1, 9) }),
  step(2, 'slowPolls', { count: from(1, 3) }),
  step(1, 'pause'),
  step(2, 'resume'),
  step(1, 'takeKey'),
  step(2, 'giveKey'),
  step(2, 'restart'),
  step(1, 'cap', { videos: fc.option(fc.nat(6), { nil: null, freq: 4 }) }),
  step(5, 'kill', { at: fc.record({ after: fc.nat(4), written: fc.boolean() }) }),
  step(1, 'jump', { minutes: from(-300, 1_500) }),
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
    // A look-up waits for its poll; if that is held, nothing else would release it.
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
