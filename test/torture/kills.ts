import { setTimeout as wait } from 'node:timers/promises';
import type { FaultRule } from '../../src/main/sandbox/index.ts';
import type { Job, JobState } from '../../src/shared/job.ts';
import { end, type Host, spawnHost, startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { audit, type Finding } from './audit.ts';
import { Diary } from './diary.ts';
import { Load } from './load.ts';
import { randomOf, type TortureOptions } from './options.ts';
import { Service } from './service.ts';

/**
 * SIGKILL at random moments of a mixed load, against a sandbox that is a program of its own: its bill outlives everything. In the end
 * everything is let settle, and what the studio says is held against what it acknowledged and against the bill.
 */
const KILLS = 500;
const SEEDS = 3;
const SHORT_KILLS = 8;

/** Where a kill comes, and how often. */
const MOMENTS = {
  'starting up': 12,
  'any time': 30,
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
  for (let seed = first; seed < first + seeds; seed += 1) lines.push(...(await torture(seed, kills)));
  return lines;
}

async function torture(seed: number, kills: number): Promise<string[]> {
  const run = await KillRun.start(seed);
  try {
    for (let n = 0; n < kills; n += 1) await run.cycle();
    await run.settle();
    const finding = await run.audit();
    return [
      `seed ${seed}, ${run.keys}: ${kills} kills (${run.moments()}), ${run.serviceKills} of the service`,
      ...tell(finding),
    ];
  } finally {
    await run.stop();
  }
}

function tell(found: Finding): string[] {
  return [
    `  acknowledged ${found.acknowledged} orders, lost 0; ${found.billed} billed, doubled 0; ${found.inDoubt} in doubt at the end`,
    `  ${found.definite} definite jobs equal their bill to the nano-dollar: ${found.settledNano} of ${found.billedNano}; in doubt ${found.uncertainNano} for the other ${found.billedNano - found.settledNano}`,
    `  ${found.outputs} results whole under their hash; ${found.entries} ledger entries = jobs = sums; the database is whole`,
  ];
}

/** Longest stay of one start, and the usual one. */
const LONG_MS = 2_500;
const USUAL_MS = 350;
/** How long a kill waits for the state it wants to meet. */
const MEET_MS = 1_200;
const START_MS = 320;
const SETTLE_MS = 300_000;

class KillRun {
  readonly keys: string;
  serviceKills = 0;
  private readonly random: () => number;
  private readonly service: Service;
  private readonly diary = new Diary();
  private readonly load: Load;
  private readonly dataDir = tempDir('torture-kills');
  private readonly met = new Map<Moment, number>();
  private host: Host | undefined;

  static async start(seed: number): Promise<KillRun> {
    // Most services take a repeated key for a new order; there a second sending shows on the bill.
    const keys = seed % 3 === 2 ? 'honoured' : 'ignored';
    const service = await Service.start(tempDir('torture-service'), ['--seed', String(seed), '--keys', keys]);
    const run = new KillRun(seed, keys, service);
    await run.prepare();
    return run;
  }

  private constructor(seed: number, keys: string, service: Service) {
    this.keys = `repeated keys ${keys}`;
    this.random = randomOf(seed);
    this.service = service;
    this.load = new Load(String(seed), this.random, this.diary);
  }

  private async prepare(): Promise<void> {
    const host = await this.open();
    const { baseUrl, imagePrefix, vendor, imageAuthHeaders } = this.service.ready;
    const models = [
      { id: 'language', kind: 'chat' as const },
      { id: 'video-standard', kind: 'video' as const },
    ];
    const limits = { videosAtOnce: 8, imagesAtOnce: 8, chatsAtOnce: 8 };
    const profile = await host.ask('profiles.save', { baseUrl, imagePrefix, vendor, imageAuthHeaders, models, limits });
    await host.ask('profiles.activate', { id: profile.id });
    await this.load.prepare(host);
    await host.kill('SIGKILL');
  }

  private async open(): Promise<Host> {
    this.host = await startHost({ dataDir: this.dataDir, env: { DAILIES_API_KEY: this.service.ready.apiKey } });
    return this.host;
  }

  /** One life of the studio, and its end. */
  async cycle(): Promise<void> {
    const moment = this.pickMoment();
    this.met.set(moment, (this.met.get(moment) ?? 0) + 1);
    this.diary.write(`--- killed ${moment}`);
    if (this.random() < 0.4) await this.service.faults(this.someFaults());
    if (moment === 'starting up') return this.killStarting();
    const host = await this.open();
    const killService = this.random() < 0.03;
    const work = [this.load.act(host, 2 + Math.floor(this.random() * 5)), this.media(host)];
    const over = this.moment(host, moment).then(() => host.kill('SIGKILL'));
    if (killService) work.push(wait(this.random() * USUAL_MS).then(() => this.killService()));
    await Promise.all([over, ...work]);
    if (killService) await this.service.restart();
  }

  private async killStarting(): Promise<void> {
    const child = spawnHost(this.dataDir, { env: { DAILIES_API_KEY: this.service.ready.apiKey } });
    await wait(this.random() * START_MS);
    await end(child, 'SIGKILL');
  }

  private async killService(): Promise<void> {
    this.serviceKills += 1;
    await this.service.kill('SIGKILL');
  }

  private async media(host: Host): Promise<void> {
    await this.load.serveMedia(host).catch(() => undefined);
  }

  /** Resolves when it is time to kill. */
  private async moment(host: Host, moment: Moment): Promise<void> {
    const state = STATE_OF[moment];
    if (state) return this.meet(host, state);
    if (moment === 'enqueueing') return void (await wait(this.random() * 40));
    if (moment === 'closing') {
      await wait(this.random() * USUAL_MS);
      void host.kill('SIGTERM');
      return void (await wait(this.random() * 120));
    }
    await wait(this.random() * (this.random() < 0.15 ? LONG_MS : USUAL_MS));
  }

  /** Until some job is seen in that state, and a few milliseconds more. */
  private async meet(host: Host, state: JobState): Promise<void> {
    const events = await host.events();
    const met = events.next('job.changed', ({ job }) => job.state === state).catch(() => undefined);
    await Promise.race([met, wait(MEET_MS)]);
    await wait(this.random() * 6);
    await events.close().catch(() => undefined);
  }

  private pickMoment(): Moment {
    const entries = Object.entries(MOMENTS) as [Moment, number][];
    let left = this.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [moment, weight] of entries) {
      left -= weight;
      if (left < 0) return moment;
    }
    return 'any time';
  }

  private someFaults(): FaultRule[] {
    const rules: FaultRule[] = [];
    for (let n = Math.floor(this.random() * 4); n > 0; n -= 1) {
      const fault = FAULTS[Math.floor(this.random() * FAULTS.length)];
      if (fault) rules.push(fault);
    }
    return rules;
  }

  /** No more faults, no more caps: everything that can end, ends; what is in doubt is looked up. */
  async settle(): Promise<void> {
    await this.service.faults([]);
    const host = await this.open();
    await host.ask('queue.resume');
    for (const { scope, projectId } of (await host.ask('budgets.list')).budgets)
      await host.ask('budgets.set', { scope, hardNano: null, ...(projectId ? { projectId } : {}) });
    const until = Date.now() + SETTLE_MS;
    await this.untilOver(host, until);
    for (const job of await this.jobs(host, ['uncertain'])) await this.resolve(host, job, 'lookup');
    // What waits for one in doubt waits until the user says something.
    for (let waiting = await this.untilOver(host, until); waiting.length > 0; ) {
      const ids = new Set(waiting.flatMap(({ dependsOn }) => dependsOn));
      for (const job of (await this.jobs(host, ['uncertain'])).filter(({ id }) => ids.has(id)))
        await this.resolve(host, job, this.random() < 0.5 ? 'lost' : 'resend');
      waiting = await this.untilOver(host, until);
    }
  }

  private async resolve(host: Host, { id }: Job, as: 'lookup' | 'lost' | 'resend'): Promise<void> {
    if (as === 'resend') this.diary.resent(id);
    const { state } = await host.ask('jobs.resolve', { id, as });
    this.diary.write(`resolve ${id} as ${as} at the end answered ${state}`);
  }

  /** Until nothing moves any more; returns what waits for a job in doubt. */
  private async untilOver(host: Host, until: number): Promise<Job[]> {
    for (;;) {
      while ((await this.load.serveMedia(host, 20)) > 0);
      const open = await this.jobs(host, ['draft', 'queued', 'blocked', 'sending', 'running', 'fetching']);
      if (open.every(({ reason }) => reason === 'dependency')) return open;
      for (const job of open.filter(({ reason }) => reason && MENDED.includes(reason)))
        await host.rpc('jobs.retry', { id: job.id });
      if (Date.now() > until) throw new Error(`never over: ${JSON.stringify(open.slice(0, 3), null, 1)}`);
      await wait(200);
    }
  }

  private async jobs(host: Host, states?: JobState[]): Promise<Job[]> {
    const all: Job[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await host.ask('jobs.list', {
        limit: 200,
        ...(states ? { states } : {}),
        ...(cursor ? { cursor } : {}),
      });
      all.push(...page.jobs);
      cursor = page.nextCursor;
      if (!cursor) return all;
    }
  }

  async audit(): Promise<Finding> {
    const host = this.host;
    if (!host) throw new Error('There is no host.');
    const jobs = await this.jobs(host);
    const { sum } = await host.ask('ledger.totals', { groupBy: 'kind' });
    await host.kill('SIGTERM');
    return audit({
      jobs,
      sum,
      bill: await this.service.bill(),
      made: this.service.madeHashes(),
      diary: this.diary,
      dataDir: this.dataDir,
    });
  }

  moments(): string {
    return [...this.met].map(([moment, times]) => `${times} ${moment}`).join(', ');
  }

  async stop(): Promise<void> {
    await this.host?.kill('SIGKILL');
    await this.service.kill('SIGKILL');
  }
}

const MENDED: string[] = ['auth', 'quota', 'offline', 'rate', 'key'];

/** What services do. Each rule acts on its turn until the next script. */
const FAULTS: FaultRule[] = [
  ...(['chat', 'video', 'imagine', 'edits'] as const).flatMap((endpoint): FaultRule[] => [
    { match: { endpoint, every: 2 }, action: { kind: 'drop', when: 'before' } },
    { match: { endpoint, every: 2 }, action: { kind: 'drop', when: 'during' } },
    { match: { endpoint, every: 2 }, action: { kind: 'drop', when: 'after' } },
    { match: { endpoint, every: 2 }, action: { kind: 'delay', ms: 400 } },
    { match: { endpoint, every: 3 }, action: { kind: 'delay', ms: 300, before: true } },
    { match: { endpoint, every: 2 }, action: { kind: 'status', status: 429, retryAfter: 1 } },
    { match: { endpoint, every: 3 }, action: { kind: 'status', status: 503 } },
    { match: { endpoint, every: 3 }, action: { kind: 'status', status: 500 } },
    { match: { endpoint, every: 4 }, action: { kind: 'status', status: 504, accept: true } },
    { match: { endpoint, every: 4 }, action: { kind: 'malformed' } },
    { match: { endpoint, every: 4 }, action: { kind: 'truncate' } },
    { match: { endpoint, every: 5 }, action: { kind: 'status', status: 401 } },
    { match: { endpoint, every: 3 }, action: { kind: 'stall', ms: 1_500 } },
  ]),
  { match: { endpoint: 'video', every: 3 }, action: { kind: 'filtered' } },
  { match: { endpoint: 'video', every: 3 }, action: { kind: 'failure' } },
  { match: { endpoint: 'imagine', every: 3 }, action: { kind: 'failure' } },
  { match: { endpoint: 'imagine', every: 2 }, action: { kind: 'hook', what: 'repeated' } },
  { match: { endpoint: 'imagine', every: 2 }, action: { kind: 'hook', what: 'forged' } },
  { match: { endpoint: 'imagine', every: 2 }, action: { kind: 'hook', what: 'late', ms: 900 } },
  { match: { endpoint: 'imagine', every: 2 }, action: { kind: 'hook', what: 'omitted' } },
  { match: { endpoint: 'fetch', every: 3 }, action: { kind: 'status', status: 502 } },
  { match: { endpoint: 'fetch', every: 3 }, action: { kind: 'drop', when: 'during' } },
  { match: { endpoint: 'operation', every: 3 }, action: { kind: 'malformed' } },
  { match: { endpoint: 'operation', every: 3 }, action: { kind: 'status', status: 500 } },
  { match: { endpoint: 'media', every: 3 }, action: { kind: 'drop', when: 'during' } },
  { match: { endpoint: 'media', every: 3 }, action: { kind: 'truncate' } },
  { match: { endpoint: 'media', every: 3 }, action: { kind: 'status', status: 503, retryAfter: 1 } },
];
