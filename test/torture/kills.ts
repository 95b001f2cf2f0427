import { setTimeout as wait } from 'node:timers/promises';
import type { JobState } from '../../src/shared/jobs/job.ts';
import { end, type Host, spawnHost } from '../helpers/host.ts';
import { CrashScenario, summaryLines } from './crashScenario.ts';
import { hasStrace } from './killPoints.ts';
import type { TortureOptions } from './options.ts';

/**
 * SIGKILL at random moments of a mixed load, against a sandbox in its own process whose bill survives everything. At the end everything
 * settles, and the studio is compared with what it acknowledged and with the bill.
 */
const KILLS = 500;
const SEEDS = 3;
const SHORT_KILLS = 5;
/** `immediate` needs no polls of clips, which are seconds apart. */
const SHORT_FLAGS = ['--video', 'immediate'];

/** When a kill happens, with its weight. */
const MOMENTS = {
  'starting up': 12,
  'any time': 20,
  'at a system call': 10,
  enqueueing: 12,
  sending: 14,
  running: 10,
  fetching: 10,
  'after an end': 5,
  closing: 7,
} as const;
type Moment = keyof typeof MOMENTS;

const STATE_OF: Partial<Record<Moment, JobState>> = {
  sending: 'sending',
  running: 'running',
  fetching: 'fetching',
  'after an end': 'succeeded',
};

export async function run(options: Partial<TortureOptions> = {}): Promise<string[]> {
  const first = options.seed ?? 1;
  const seeds = options.seeds ?? (options.short ? 1 : SEEDS);
  const kills = options.kills ?? (options.short ? SHORT_KILLS : KILLS);
  const lines: string[] = [];
  for (let seed = first; seed < first + seeds; seed += 1) {
    const done = torture(seed, kills, options.short ? SHORT_FLAGS : []);
    lines.push(
      ...(await done.catch((cause: Error) => {
        throw new Error([...lines, `seed ${seed}: ${cause.message}`].join('\n'), { cause });
      })),
    );
  }
  return lines;
}

async function torture(seed: number, kills: number, flags: string[]): Promise<string[]> {
  // Most gateways treat a repeated key as a new request, so a double send shows on the bill.
  const keys = seed % 3 === 2 ? 'honoured' : 'ignored';
  const scenario = await CrashScenario.start(seed, ['--keys', keys, ...flags]);
  try {
    const run = new KillRun(scenario);
    for (let n = 0; n < kills; n += 1) await run.cycle(n);
    await scenario.settle();
    const first = `seed ${seed}, repeated keys ${keys}: ${kills} kills (${run.moments()}), ${run.serviceKills} of the service`;
    return [first, ...summaryLines(await scenario.audit())];
  } finally {
    await scenario.stop();
  }
}

/** Longest and usual lifetime of one start. */
const LONG_MS = 2_500;
const USUAL_MS = 350;
/** The longest that a kill waits for its state. */
const MEET_MS = 1_200;
const START_MS = 320;

/** System calls of the main thread that change a disk or send bytes, with their number in a short lifetime. */
const CALLS = [
  ['pwrite64', 400],
  ['fsync', 70],
  ['writev', 30],
  ['write', 60],
] as const;

class KillRun {
  serviceKills = 0;
  private readonly scenario: CrashScenario;
  private readonly met = new Map<Moment, number>();

  constructor(scenario: CrashScenario) {
    this.scenario = scenario;
  }

  /** One lifetime of the studio. */
  async cycle(n: number): Promise<void> {
    this.scenario.load.startRound(n);
    const moment = this.pickMoment();
    this.met.set(moment, (this.met.get(moment) ?? 0) + 1);
    this.scenario.expected.log(`--- killed ${moment}`);
    if (this.scenario.random() < 0.4) await this.scenario.randomizeFaults();
    if (moment === 'starting up') return this.killStarting();
    if (moment === 'at a system call' && hasStrace()) return this.killAtCall();
    const host = await this.scenario.open();
    const killService = this.scenario.random() < 0.03;
    const work = [this.scenario.load.act(host, 2 + Math.floor(this.scenario.random() * 5)), this.media(host)];
    const over = this.moment(host, moment).then(() => host.kill('SIGKILL'));
    if (killService) work.push(wait(this.scenario.random() * USUAL_MS).then(() => this.killService()));
    await Promise.all([over, ...work]);
    if (killService) await this.scenario.service.restart();
  }

  private async killStarting(): Promise<void> {
    const child = spawnHost(this.scenario.dataDir, { env: this.scenario.env });
    await wait(this.scenario.random() * START_MS);
    await end(child, 'SIGKILL');
  }

  /** Kills between two calls, such as after the fsync of a claim and before the first byte of its request. */
  private async killAtCall(): Promise<void> {
    const { load, random } = this.scenario;
    const [call, most] = CALLS[Math.floor(random() * CALLS.length)] ?? CALLS[0];
    const when = 1 + Math.floor(random() * most);
    const under = [
      'strace',
      '-o',
      '/dev/null',
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:signal=SIGKILL:when=${when}`,
    ];
    this.scenario.expected.log(`--- killed at ${call} ${when}`);
    const host = await this.scenario.open({ under }).catch(() => undefined);
    if (!host) return;
    await Promise.race([load.act(host, 6), wait(MEET_MS)]);
    await wait(random() * USUAL_MS);
    await host.kill('SIGKILL');
  }

  private async killService(): Promise<void> {
    this.serviceKills += 1;
    await this.scenario.service.kill('SIGKILL');
  }

  private async media(host: Host): Promise<void> {
    await this.scenario.load.serveMedia(host).catch(() => undefined);
  }

  /** Waits for the moment to kill. */
  private async moment(host: Host, moment: Moment): Promise<void> {
    const state = STATE_OF[moment];
    if (state) return this.meet(host, state);
    if (moment === 'enqueueing') return void (await wait(this.scenario.random() * 40));
    if (moment === 'closing') {
      await wait(this.scenario.random() * USUAL_MS);
      void host.kill('SIGTERM');
      return void (await wait(this.scenario.random() * 120));
    }
    await wait(this.scenario.random() * (this.scenario.random() < 0.15 ? LONG_MS : USUAL_MS));
  }

  /** Waits until some job has that state, plus a few milliseconds. Short states have no event. */
  private async meet(host: Host, state: JobState): Promise<void> {
    const inState = async () =>
      (await host.ask('jobs.list', { states: [state], limit: 1 }).catch(() => undefined))?.total;
    const until = Date.now() + MEET_MS;
    let before = await inState();
    for (let now = before; now !== undefined && Date.now() < until && now <= (before ?? 0); now = await inState()) {
      before = now;
      await wait(1);
    }
    await wait(this.scenario.random() * 6);
  }

  private pickMoment(): Moment {
    const entries = Object.entries(MOMENTS) as [Moment, number][];
    let left = this.scenario.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [moment, weight] of entries) {
      left -= weight;
      if (left < 0) return moment;
    }
    return 'any time';
  }

  moments(): string {
    return [...this.met].map(([moment, times]) => `${times} ${moment}`).join(', ');
  }
}
