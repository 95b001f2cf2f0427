import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { hourOf } from '../../src/main/core/night/index.ts';
import type { Board, Shot } from '../../src/shared/board/board.ts';
import type { Job, JobState } from '../../src/shared/jobs/job.ts';
import { promptOf } from '../../src/shared/kinds/index.ts';
import type { Host } from '../helpers/host.ts';
import { CrashScenario, summaryLines } from './crashScenario.ts';
import { isHostGone, pictureOfTask } from './loadGenerator.ts';
import type { TortureOptions } from './options.ts';

/**
 * SIGKILL while chains are enqueued, by day and for the night: each exists whole or not at all, each take waits for the one before it and
 * is made from it, and the studio finally agrees with the bill.
 */
const KILLS = 100;
const SEEDS = 3;
const SHORT_KILLS = 6;
/** `immediate` needs no polls of clips, which are seconds apart. */
const SHORT_FLAGS = ['--video', 'immediate'];
const KILLS_PER_CHAIN = 3;
/** Longest wait for the moment of a kill. */
const MEET_MS = 8_000;
const HOUR_MS = 3_600_000;

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const first = options.seed ?? 1;
  const seeds = options.seeds ?? (options.short ? 1 : SEEDS);
  const kills = options.kills ?? (options.short ? SHORT_KILLS : KILLS);
  const lines: string[] = [];
  for (let seed = first; seed < first + seeds; seed += 1)
    lines.push(...(await killChains(seed, kills, options.short ? SHORT_FLAGS : [])));
  return lines;
}

async function killChains(seed: number, kills: number, flags: string[]): Promise<string[]> {
  const keys = seed % 3 === 2 ? 'honoured' : 'ignored';
  const scenario = await CrashScenario.start(seed, ['--keys', keys, ...flags]);
  try {
    const chains: KilledChain[] = [];
    for (let done = 0; done < kills; done += KILLS_PER_CHAIN) {
      const chain = new KilledChain(scenario, chains.length, flags.length > 0 ? STATES.slice(0, 3) : STATES);
      chains.push(chain);
      await chain.run(Math.min(KILLS_PER_CHAIN, kills - done));
    }
    const host = await scenario.open();
    await scenario.settle(host);
    let compared = 0;
    for (const chain of chains) compared += await chain.assertMade(host);
    if (compared === 0) throw new Error('No take was made from another: there was nothing to compare.');
    const nights = chains.filter(({ isNight }) => isNight).length;
    const states = chains.flatMap(({ killedAt }) => killedAt).join(', ');
    const line = `seed ${seed}, repeated keys ${keys}: ${kills} kills of ${chains.length} chains (${states}), ${nights} for a night, ${compared} takes made from the right one`;
    return [line, ...summaryLines(await scenario.audit())];
  } finally {
    await scenario.stop();
  }
}

const SHOTS: readonly Partial<Shot>[] = [
  {},
  { joint: 'continue', source: 'first' },
  { joint: 'extend', source: 'extend' },
  { joint: 'continue', source: 'first' },
];
/** With `immediate` the answer contains the clip, so no job is `running`. */
const STATES: readonly JobState[] = ['sending', 'fetching', 'succeeded', 'running'];

/** One board of four shots whose takes are requested as a chain, over several lifetimes of the studio. */
class KilledChain {
  readonly isNight: boolean;
  readonly killedAt: string[] = [];
  private readonly scenario: CrashScenario;
  private readonly number: number;
  private readonly states: readonly JobState[];
  private readonly requestKey: string;
  private projectId = '';
  private jobIds: string[] = [];

  constructor(scenario: CrashScenario, number: number, states: readonly JobState[]) {
    this.scenario = scenario;
    this.states = states;
    this.number = number;
    this.isNight = number % 2 === 1;
    this.requestKey = `chain-of-takes-${number}`;
  }

  async run(kills: number): Promise<void> {
    await this.prepare();
    for (let n = 0; n < kills; n += 1) await this.lifetime(n);
  }

  private below(count: number): number {
    return Math.floor(this.scenario.random() * count);
  }

  private mark(shot: number): string {
    return `mark-chain-${this.number}-${shot}.`;
  }

  private async prepare(): Promise<void> {
    const host = await this.scenario.open();
    this.projectId = (await host.ask('projects.create', { name: `Chain ${this.number}` })).id;
    const shots = SHOTS.map((shot, index) => ({
      id: `s${index}`,
      prompt: `a quay at night ${this.mark(index)}`,
      model: 'video-standard',
      config: index === 2 ? {} : { durationSeconds: 4 },
      ...shot,
    }));
    await host.ask('storyboard.save', { projectId: this.projectId, revision: 0, shots: shots as Board['shots'] });
    if (this.isNight) await this.planAnew(host);
    await host.kill('SIGKILL');
  }

  /** Plans a new run; the previous one ends with its chain. */
  private async planAnew(host: Host): Promise<void> {
    if ((await host.ask('night.get')).current) {
      await this.scenario.settle(host);
      await host.ask('night.stop');
    }
    await this.plan(host, HOUR_MS);
  }

  /** Plans a night that starts in `startsIn` milliseconds, or opens the planned one. */
  private async plan(host: Host, startsIn: number): Promise<void> {
    const start = Date.now() + startsIn;
    const hours = { start: hourOf(start), end: hourOf(start + 12 * HOUR_MS) };
    await host.ask('night.plan', { ...hours, capNano: 1_000_000_000_000 });
  }

  /** One lifetime from start to kill: the first is killed around the request, the last while a take is made. */
  private async lifetime(n: number): Promise<void> {
    const host = await this.scenario.open();
    if (n > 0) await this.inspect(host);
    if (n === 0) return this.killAroundEnqueue(host);
    if (this.isNight && n === 1) {
      await this.assertWaitsForNight(host);
      await this.plan(host, -HOUR_MS);
    }
    const made = (await this.jobs(host)).filter((job) => job.state === 'succeeded').length;
    const member = Math.min(SHOTS.length - 1, made + this.below(2));
    const state = this.states[this.below(this.states.length)] ?? 'sending';
    const pages = this.serveMedia(host);
    const met = await this.meet(host, member, state);
    this.killedAt.push(met);
    this.scenario.expected.log(`--- killed, chain ${this.number}, ${met}`);
    await host.kill('SIGKILL');
    await pages;
  }

  private async killAroundEnqueue(host: Host): Promise<void> {
    const enqueued = this.enqueue(host).catch((error: unknown) => {
      if (!isHostGone(error)) throw error;
    });
    await Promise.race([enqueued, wait(this.scenario.random() * 60)]);
    await wait(this.scenario.random() * 40);
    await host.kill('SIGKILL');
    await enqueued;
    this.killedAt.push(this.jobIds.length > 0 ? 'enqueued' : 'enqueuing');
  }

  /** Requests the chain, with the same key each time. */
  private async enqueue(host: Host): Promise<void> {
    const { jobs, board } = await host.ask('storyboard.makeTakes', {
      projectId: this.projectId,
      shotIds: SHOTS.map((_, index) => `s${index}`),
      requestKey: this.requestKey,
      ...(this.isNight ? { night: true } : {}),
    });
    const ids = jobs.map(({ id }) => id);
    if (this.jobIds.length > 0) this.same('the repeated call', ids, this.jobIds);
    this.jobIds = ids;
    this.same(
      'the takes of the board',
      board.shots.map(({ takes }) => takes),
      ids.map((id) => [id]),
    );
    for (const [index, id] of ids.entries()) this.scenario.expected.acknowledged.set(id, this.mark(index));
  }

  /** Checks the state after a start: all of the chain or nothing, and nothing sent before its input exists. */
  private async inspect(host: Host): Promise<void> {
    const found = await this.jobs(host);
    const named = (await host.ask('storyboard.get', { projectId: this.projectId })).shots.flatMap(({ takes }) => takes);
    this.same('the jobs of the board', named.toSorted(), found.map(({ id }) => id).toSorted());
    this.holds(found.length === 0 || found.length === SHOTS.length, `${found.length} takes of a chain of four`);
    this.holds(this.jobIds.length === 0 || found.length > 0, 'an acknowledged chain is gone');
    await this.enqueue(host);
    const jobs = await this.jobs(host);
    this.holds(jobs.length === SHOTS.length, `${jobs.length} jobs after the call was repeated`);
    this.assertOrder(jobs);
    for (const { id } of jobs.filter(({ state }) => state === 'uncertain')) {
      this.scenario.expected.resent(id);
      await host.ask('jobs.resolve', { id, as: 'resend' });
    }
  }

  private async assertWaitsForNight(host: Host): Promise<void> {
    const jobs = await this.jobs(host);
    this.same(
      'before the night opens',
      jobs.map(({ state, reason, attempts }) => [state, reason, attempts.length]),
      jobs.map((_, index) => ['blocked', index === 0 ? 'window' : 'dependency', 0]),
    );
  }

  /** Each take names the one before it, and was not sent before that one was made. */
  private assertOrder(jobs: readonly Job[]): void {
    for (const [index, job] of jobs.entries()) {
      const before = jobs[index - 1];
      this.same(`what take ${index + 1} waits for`, job.dependsOn, before ? [before.id] : []);
      if (before && before.state !== 'succeeded')
        this.holds(job.attempts.length === 0, `take ${index + 1} was sent, and the one before it is ${before.state}`);
    }
  }

  /** Asserts that each take was made from the exact last frame of the one before. Returns how many were. */
  async assertMade(host: Host): Promise<number> {
    const jobs = await this.jobs(host);
    this.assertOrder(jobs);
    let compared = 0;
    for (const [index, { state, inputs = [] }] of jobs.entries()) {
      const before = jobs[index - 1];
      const source = before?.outputs[0];
      if (state !== 'succeeded' || !before || !source) continue;
      const frame = createHash('sha256')
        .update(pictureOfTask({ assetId: source.id, kind: 'lastFrame' }))
        .digest('hex');
      const isExtension = SHOTS[index]?.source === 'extend';
      this.same(
        `what take ${index + 1} was made from`,
        inputs.map(({ field, jobId, sha256 }) => [field, jobId, sha256]),
        [isExtension ? ['video', before.id, source.sha256] : ['image', before.id, frame]],
      );
      compared += 1;
    }
    return compared;
  }

  private async jobs(host: Host): Promise<Job[]> {
    const { jobs } = await host.ask('jobs.list', { projectId: this.projectId, limit: 100 });
    return jobs.toSorted((one, other) => promptOf(one.request).localeCompare(promptOf(other.request)));
  }

  /** Waits for the take's state, or for a while if it never comes, plus a few milliseconds. */
  private async meet(host: Host, member: number, state: JobState): Promise<string> {
    const until = Date.now() + MEET_MS;
    const isIn = async () => (await host.ask('jobs.get', { id: this.jobIds[member] ?? '' })).state === state;
    let isMet = await isIn();
    for (; !isMet && Date.now() < until; isMet = await isIn()) await wait(2);
    await wait(this.scenario.random() * 10);
    return isMet ? `take ${member + 1} ${state}` : 'any time';
  }

  /** Works as a media page until the host is gone. */
  private async serveMedia(host: Host): Promise<void> {
    try {
      for (;;) if ((await this.scenario.load.serveMedia(host)) === 0) await wait(20);
    } catch (error) {
      if (!isHostGone(error)) throw error;
    }
  }

  private same(what: string, found: unknown, expected: unknown): void {
    const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
    this.holds(one === other, `${what}: ${one}, not ${other}`);
  }

  private holds(isTrue: boolean, message: string): void {
    if (isTrue) return;
    const history = this.scenario.expected.about([...this.jobIds, `chain ${this.number}`]);
    throw new Error([`chain ${this.number}: ${message}`, ...history].join('\n'));
  }
}
