import type { Gateway, PollOutcome, RepeatOutcome, SubmitOutcome } from '../../src/main/core/gateway/index.ts';
import { sql } from '../../src/main/core/store/index.ts';
import { isTerminal, type Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { error, lostAnswer, sentRequest } from '../helpers/engineHarness.ts';
import { settle } from '../helpers/testPorts.ts';
import { randomOf } from '../torture/options.ts';
import { RunKilled, World } from './world.ts';

/**
 * One picture, and everything that can bring its answer at the same time: the reply, webhooks, running polls, a look-up, a cancel, a
 * restart. Whatever comes first and however often, it is charged once.
 */
const MOVES = ['answer', 'webhook', 'look', 'time', 'lookup', 'again', 'cancel', 'restart', 'turn'] as const;
type Move = (typeof MOVES)[number];

/** The weight of each move in a schedule. */
const MOVE_WEIGHTS: Record<Move, number> = {
  answer: 2,
  webhook: 5,
  look: 5,
  time: 6,
  lookup: 2,
  again: 4,
  cancel: 1,
  restart: 1,
  turn: 4,
};

const PICTURE_NANO = 1_600_000_000;
const REQUEST: StudioRequest = { kind: 'imagine', prompt: 'A quay at night' };

interface Pending<T> {
  answer(outcome: T): void;
}

/** A gateway whose answers are held until the schedule releases them. */
class DeferredService {
  readonly submits: Pending<SubmitOutcome>[] = [];
  readonly looks: Pending<PollOutcome>[] = [];
  readonly repeats: Pending<RepeatOutcome>[] = [];
  repeated = 0;
  sent = 0;
  looked = 0;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  client(): Partial<Gateway> {
    return {
      submitImagine: async (_request, { idempotencyKey, keep }) => {
        await keep?.(sentRequest(idempotencyKey, '{}'));
        this.sent += 1;
        return held(this.submits);
      },
      repeat: () => {
        this.repeated += 1;
        return held(this.repeats);
      },
      accountOf: () => 'account',
      poll: () => {
        this.looked += 1;
        return held(this.looks);
      },
    };
  }

  accepted(id: string): SubmitOutcome {
    return { type: 'accepted', task: { id, kind: 'image', acceptedAt: this.now() } };
  }
}

function held<T>(list: Pending<T>[]): Promise<T> {
  return new Promise((answer) => list.push({ answer }));
}

const made = (id: string) => [{ uri: `gs://made/${id}.png`, role: 'output' as const }];

/** Totals over many schedules. */
export interface RaceTotals {
  schedules: number;
  looks: number;
  webhooks: number;
  restarts: number;
  charged: number;
  doubted: number;
  repeated: number;
}

/** Runs a number of schedules drawn from a seed. Throws with the schedule that does not charge exactly once. */
export async function raceMany(options: { seed: number; schedules: number }): Promise<RaceTotals> {
  const random = randomOf(options.seed);
  const raced: RaceTotals = { schedules: 0, looks: 0, webhooks: 0, restarts: 0, charged: 0, doubted: 0, repeated: 0 };
  const perWorld = 100;
  while (raced.schedules < options.schedules) {
    let world: World | undefined;
    const service = new DeferredService(() => world?.now() ?? 0);
    world = new World({ honoursKeys: true, client: service.client() });
    const count = Math.min(perWorld, options.schedules - raced.schedules);
    for (let index = 0; index < count; index++) await raceOne(world, service, random, raced);
    raced.looks += service.looked;
    raced.repeated += service.repeated;
    await world.close();
  }
  return raced;
}

async function raceOne(world: World, service: DeferredService, random: () => number, raced: RaceTotals): Promise<void> {
  const name = `schedule ${raced.schedules + 1}`;
  raced.schedules += 1;
  const sentBefore = service.sent;
  service.submits.length = 0;
  service.looks.length = 0;
  service.repeats.length = 0;
  const { engine } = world.harness();
  const enqueued = await engine.commands.enqueue({ requests: [REQUEST] });
  const id = (enqueued.ok && enqueued.data.jobs[0]?.id) || '';
  await settle();
  const schedule = draw(random);
  for (const move of schedule) {
    await playMove(world, service, id, move, random);
    if (move === 'webhook') raced.webhooks += 1;
    if (move === 'restart') raced.restarts += 1;
  }
  const end = await drain(world, service, id);
  const broken = claimsOf(world, end, service.sent - sentBefore);
  if (broken.length > 0) throw new Error(`${name} (${schedule.join(' ')}): ${broken.join('; ')}`);
  if (end.money.chargedNano > 0) raced.charged += 1;
  else raced.doubted += 1;
}

/** A random sequence of moves. */
function draw(random: () => number): Move[] {
  const bag = MOVES.flatMap((move) => Array.from({ length: MOVE_WEIGHTS[move] }, () => move));
  for (let at = bag.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [bag[at], bag[other]] = [bag[other] ?? 'turn', bag[at] ?? 'turn'];
  }
  const drawn = bag.slice(0, 10 + Math.floor(random() * (bag.length - 10)));
  // Without a reply there is no race, so most requests are answered first.
  return random() < 0.75 ? ['answer', ...drawn] : drawn;
}

async function playMove(
  world: World,
  service: DeferredService,
  id: string,
  move: Move,
  random: () => number,
): Promise<void> {
  const { engine, coreEvents } = world.harness();
  switch (move) {
    case 'answer':
      service.repeats.shift()?.answer({ outcome: submitAnswer(service, id, random()), replayed: random() < 0.5 });
      return service.submits.shift()?.answer(submitAnswer(service, id, random()));
    case 'webhook':
      return void coreEvents.emit('webhook.received', id);
    case 'look':
      return service.looks.splice(Math.floor(random() * service.looks.length), 1)[0]?.answer(lookAnswer(id, random()));
    case 'time':
      return world.pass(Math.ceil(random() * 11_000));
    case 'lookup':
      // Not awaited: one of the later polls answers.
      return void engine.commands.resolve({ id, as: 'lookup' });
    case 'again':
      return void engine.commands.resolve({ id, as: 'again' }).catch((fault: unknown) => {
        // A restart interrupted it.
        if (!(fault instanceof RunKilled)) throw fault;
      });
    case 'cancel':
      return void engine.commands.cancel(id);
    case 'restart':
      world.kill();
      return world.calm();
    case 'turn':
      // So few turns that work in progress is interrupted.
      for (let turn = Math.floor(random() * 4); turn > 0; turn--) await Promise.resolve();
      if (random() < 0.5) await new Promise((done) => setImmediate(done));
  }
}

function submitAnswer(service: DeferredService, id: string, luck: number): SubmitOutcome {
  if (luck < 0.7) return service.accepted(`task-${id}`);
  return luck < 0.85 ? { type: 'done', remoteId: `task-${id}`, outputs: made(id) } : lostAnswer;
}

function lookAnswer(id: string, luck: number): PollOutcome {
  if (luck < 0.25) return { type: 'done', outputs: made(id) };
  if (luck < 0.7) return { type: 'running', progress: Math.round(luck * 100) };
  return luck < 0.85 ? { type: 'missing' } : { type: 'unreachable', error: error({ status: 502, accepted: 'yes' }) };
}

/** Answers everything held with success until the job is at rest; looks an unconfirmed job up once more. */
async function drain(world: World, service: DeferredService, id: string): Promise<Job> {
  for (let round = 0; round < 60; round++) {
    for (const pending of service.submits.splice(0)) pending.answer(service.accepted(`task-${id}`));
    for (const again of service.repeats.splice(0))
      again.answer({ outcome: service.accepted(`task-${id}`), replayed: false });
    for (const look of service.looks.splice(0)) look.answer({ type: 'done', outputs: made(id) });
    await settle();
    const job = world.harness().job(id);
    const followed = job.state === 'canceled' && job.money.uncertainNano > 0 && job.remoteId !== undefined;
    const canAsk = job.state === 'uncertain' && job.remoteId !== undefined;
    if ((isTerminal(job.state) && !followed) || (job.state === 'uncertain' && !canAsk)) return job;
    if (canAsk) void world.harness().engine.commands.resolve({ id, as: 'lookup' });
    await world.pass(5_000);
  }
  return world.harness().job(id);
}

const CHARGES = sql('races.charges', `SELECT count(*) AS n FROM ledger_entries WHERE job_id = $id AND type = 'charge'`);
const SUMS = sql(
  'races.sums',
  `SELECT sum(settled_nano) AS settled, sum(reserved_nano) AS reserved, sum(uncertain_nano) AS doubt
   FROM ledger_entries WHERE job_id = $id`,
);

function claimsOf(world: World, { id, state, money, outputs, remoteId }: Job, sent: number): string[] {
  const { read } = world.harness().store;
  const broken: string[] = [];
  const charges = read.one<{ n: number }>(CHARGES, { id })?.n ?? 0;
  // Without a task id nobody can ask, so the job must be unconfirmed and never charged.
  const expected = remoteId === undefined && state !== 'succeeded' ? 0 : 1;
  if (sent !== 1) broken.push(`sent ${sent} times`);
  if (charges !== expected) broken.push(`${charges} charges, ${expected} expected, ${state}`);
  if (outputs.length !== expected) broken.push(`${outputs.length} pictures`);
  if (money.chargedNano !== expected * PICTURE_NANO) broken.push(`charged ${money.chargedNano}`);
  if (money.chargedNano + money.uncertainNano !== PICTURE_NANO) broken.push(`${money.uncertainNano} in doubt`);
  if (money.reservedNano !== 0) broken.push(`${money.reservedNano} reserved`);
  const sums = read.one<{ settled: number; reserved: number; doubt: number }>(SUMS, { id });
  if (sums?.settled !== money.chargedNano || sums.reserved !== 0 || sums.doubt !== money.uncertainNano)
    broken.push(`the entries sum to ${JSON.stringify(sums)}`);
  if (expected === 1 && state !== 'succeeded' && state !== 'canceled') broken.push(`it is ${state}`);
  return broken;
}
