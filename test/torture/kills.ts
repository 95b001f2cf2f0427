import { setTimeout as wait } from 'node:timers/promises';
import type { JobState } from '../../src/shared/job.ts';
import { end, type Host, spawnHost } from '../helpers/host.ts';
import { hasStrace } from './killPoints.ts';
import type { TortureOptions } from './options.ts';
import { Ordeal, tell } from './ordeal.ts';

/**
 * SIGKILL at random moments of a mixed load, against a sandbox that is a program of its own: its bill outlives everything. In the end
 * everything is let settle, and what the studio says is held against what it acknowledged and against the bill.
 */
const KILLS = 500;
const SEEDS = 3;
const SHORT_KILLS = 5;
/** Polls are seconds apart; the short form does without those of clips. */
const SHORT_FLAGS = ['--video', 'immediate'];

/** Where a kill comes, and how often. */
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
  // Most services take a repeated key for a new order; there a second sending shows on the bill.
  const keys = seed % 3 === 2 ? 'honoured' : 'ignored';
  const ordeal = await Ordeal.start(seed, ['--keys', keys, ...flags]);
  try {
    const run = new KillRun(ordeal);
    for (let n = 0; n < kills; n += 1) await run.cycle(n);
    await ordeal.settle();
    const first = `seed ${seed}, repeated keys ${keys}: ${kills} kills (${run.moments()}), ${run.serviceKills} of the service`;
    return [first, ...tell(await ordeal.audit())];
  } finally {
    await ordeal.stop();
  }
}

/** Longest stay of one start, and the usual one. */
const LONG_MS = 2_500;
const USUAL_MS = 350;
/** How long a kill waits for the state it wants to meet. */
const MEET_MS = 1_200;
const START_MS = 320;

/** Calls of the main thread that change a disk or send a byte, and how many of each a short life makes. */
const CALLS = [
  ['pwrite64', 400],
  ['fsync', 70],
  ['writev', 30],
  ['write', 60],
] as const;

class KillRun {
  serviceKills = 0;
  private readonly ordeal: Ordeal;
  private readonly met = new Map<Moment, number>();

  constructor(ordeal: Ordeal) {
    this.ordeal = ordeal;
  }

  /** One life of the studio, and its end. */
  async cycle(n: number): Promise<void> {
    this.ordeal.load.begin(n);
    const moment = this.pickMoment();
    this.met.set(moment, (this.met.get(moment) ?? 0) + 1);
    this.ordeal.diary.write(`--- killed ${moment}`);
    if (this.ordeal.random() < 0.4) await this.ordeal.someFaults();
    if (moment === 'starting up') return this.killStarting();
    if (moment === 'at a system call' && hasStrace()) return this.killAtCall();
    const host = await this.ordeal.open();
    const killService = this.ordeal.random() < 0.03;
    const work = [this.ordeal.load.act(host, 2 + Math.floor(this.ordeal.random() * 5)), this.media(host)];
    const over = this.moment(host, moment).then(() => host.kill('SIGKILL'));
    if (killService) work.push(wait(this.ordeal.random() * USUAL_MS).then(() => this.killService()));
    await Promise.all([over, ...work]);
    if (killService) await this.ordeal.service.restart();
  }

  private async killStarting(): Promise<void> {
    const child = spawnHost(this.ordeal.dataDir, { env: this.ordeal.env });
    await wait(this.ordeal.random() * START_MS);
    await end(child, 'SIGKILL');
  }

  /** Between one call and the next: after the fsync of a claim, say, and before the first byte of its request. */
  private async killAtCall(): Promise<void> {
    const { load, random } = this.ordeal;
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
    this.ordeal.diary.write(`--- killed at ${call} ${when}`);
    const host = await this.ordeal.open({ under }).catch(() => undefined);
    if (!host) return;
    await Promise.race([load.act(host, 6), wait(MEET_MS)]);
    await wait(random() * USUAL_MS);
    await host.kill('SIGKILL');
  }

  private async killService(): Promise<void> {
    this.serviceKills += 1;
    await this.ordeal.service.kill('SIGKILL');
  }

  private async media(host: Host): Promise<void> {
    await this.ordeal.load.serveMedia(host).catch(() => undefined);
  }

  /** Resolves when it is time to kill. */
  private async moment(host: Host, moment: Moment): Promise<void> {
    const state = STATE_OF[moment];
    if (state) return this.meet(host, state);
    if (moment === 'enqueueing') return void (await wait(this.ordeal.random() * 40));
    if (moment === 'closing') {
      await wait(this.ordeal.random() * USUAL_MS);
      void host.kill('SIGTERM');
      return void (await wait(this.ordeal.random() * 120));
    }
    await wait(this.ordeal.random() * (this.ordeal.random() < 0.15 ? LONG_MS : USUAL_MS));
  }

  /** Until some job is seen in that state, and a few milliseconds more. */
  private async meet(host: Host, state: JobState): Promise<void> {
    const events = await host.events();
    const met = events.next('job.changed', ({ job }) => job.state === state).catch(() => undefined);
    await Promise.race([met, wait(MEET_MS)]);
    await wait(this.ordeal.random() * 6);
    await events.close().catch(() => undefined);
  }

  private pickMoment(): Moment {
    const entries = Object.entries(MOMENTS) as [Moment, number][];
    let left = this.ordeal.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
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
