import { setTimeout as wait } from 'node:timers/promises';
import type { FaultRule } from '../../src/main/sandbox/index.ts';
import type { Job, JobState } from '../../src/shared/job.ts';
import { type Host, type HostOptions, startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { audit, type Finding } from './audit.ts';
import { Diary } from './diary.ts';
import { Load } from './load.ts';
import { randomOf } from './options.ts';
import { Service } from './service.ts';

/** How long everything may take to come to rest in the end. */
const SETTLE_MS = 300_000;

/** A studio, a service that outlives it, a load, and what the outside knows of it all; in the end everything is held against everything. */
export class Ordeal {
  readonly random: () => number;
  readonly service: Service;
  readonly diary = new Diary();
  readonly load: Load;
  readonly dataDir: string;
  private host: Host | undefined;

  /** `flags`: more flags of the sandbox. `dataDir`: where the studio is to live. */
  static async start(seed: number, flags: string[] = [], dataDir = tempDir('torture-studio')): Promise<Ordeal> {
    const service = await Service.start(tempDir('torture-service'), ['--seed', String(seed), ...flags]);
    const ordeal = new Ordeal(seed, service, dataDir);
    try {
      await ordeal.prepare();
    } catch (error) {
      await ordeal.stop();
      throw error;
    }
    return ordeal;
  }

  private constructor(seed: number, service: Service, dataDir: string) {
    this.random = randomOf(seed);
    this.service = service;
    this.dataDir = dataDir;
    this.load = new Load(seed, this.diary);
  }

  get env(): Record<string, string> {
    return { DAILIES_API_KEY: this.service.ready.apiKey };
  }

  async open(options: HostOptions = {}): Promise<Host> {
    this.host = await startHost({ ...options, dataDir: this.dataDir, env: { ...this.env, ...options.env } });
    return this.host;
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

  /** Another script of what the service does wrong. */
  async someFaults(): Promise<void> {
    const count = Math.floor(this.random() * 4);
    const rules = Array.from({ length: count }, () => FAULTS[Math.floor(this.random() * FAULTS.length)]);
    await this.service.faults(rules.flatMap((rule) => rule ?? []));
  }

  /** No more faults, no more caps: everything that can end, ends; what is in doubt is looked up. */
  async settle(running?: Host): Promise<void> {
    await this.service.faults([]);
    const host = running ?? (await this.open());
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

  /** Ends it and judges what it leaves. */
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

  async stop(): Promise<void> {
    await this.host?.kill('SIGKILL');
    await this.service.kill('SIGKILL');
  }
}

/** The closing lines of an ordeal. */
export function tell(found: Finding): string[] {
  return [
    `  acknowledged ${found.acknowledged} orders, lost 0; ${found.billed} billed, doubled 0; ${found.inDoubt} in doubt at the end`,
    `  ${found.definite} definite jobs equal their bill to the nano-dollar: ${found.settledNano} of ${found.billedNano}; in doubt ${found.uncertainNano} for the other ${found.billedNano - found.settledNano}`,
    `  ${found.outputs} results whole under their hash; ${found.entries} ledger entries = jobs = sums; the database is whole`,
  ];
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
