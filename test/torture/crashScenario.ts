import { setTimeout as wait } from 'node:timers/promises';
import type { FaultRule } from '../../src/main/sandbox/index.ts';
import type { Job, JobState } from '../../src/shared/jobs/job.ts';
import { type Host, type HostOptions, startHost } from '../helpers/host.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { type AuditResult, audit } from './audit.ts';
import { ExpectedState } from './expectedState.ts';
import { LoadGenerator } from './loadGenerator.ts';
import { randomOf } from './options.ts';
import { SandboxProcess } from './sandboxProcess.ts';

/** Time limit for everything to end. */
const SETTLE_MS = 300_000;

/** A studio, a gateway that outlives it, a load, and the expected state. All are compared at the end. */
export class CrashScenario {
  readonly random: () => number;
  readonly service: SandboxProcess;
  readonly expected = new ExpectedState();
  readonly load: LoadGenerator;
  readonly dataDir: string;
  private host: Host | undefined;

  /** `flags`: additional flags of the sandbox. `dataDir`: the studio's data folder. */
  static async start(seed: number, flags: string[] = [], dataDir = tempDir('torture-studio')): Promise<CrashScenario> {
    const service = await SandboxProcess.start(tempDir('torture-service'), ['--seed', String(seed), ...flags]);
    const scenario = new CrashScenario(seed, service, dataDir);
    try {
      await scenario.prepare();
    } catch (error) {
      await scenario.stop();
      throw error;
    }
    return scenario;
  }

  private constructor(seed: number, service: SandboxProcess, dataDir: string) {
    this.random = randomOf(seed);
    this.service = service;
    this.dataDir = dataDir;
    this.load = new LoadGenerator(seed, this.expected);
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

  /** Gives the gateway a new random set of faults. */
  async randomizeFaults(): Promise<void> {
    const count = Math.floor(this.random() * 4);
    const rules = Array.from({ length: count }, () => FAULTS[Math.floor(this.random() * FAULTS.length)]);
    await this.service.faults(rules.flatMap((rule) => rule ?? []));
  }

  /** Removes faults and budgets, waits until everything that can end has ended, and looks up unconfirmed jobs. */
  async settle(running?: Host): Promise<void> {
    await this.service.faults([]);
    const host = running ?? (await this.open());
    await host.ask('queue.resume');
    // An overnight run's budget cannot be removed.
    const budgets = (await host.ask('budgets.list')).budgets.filter(({ scope }) => scope !== 'run');
    for (const { scope, projectId } of budgets)
      await host.ask('budgets.set', { scope, hardNano: null, ...(projectId ? { projectId } : {}) });
    const until = Date.now() + SETTLE_MS;
    await this.untilSettled(host, until);
    for (const job of await this.jobs(host, ['uncertain'])) await this.resolve(host, job, 'lookup');
    // A job that depends on an unconfirmed one waits for the user.
    for (let waiting = await this.untilSettled(host, until); waiting.length > 0; ) {
      const ids = new Set(waiting.flatMap(({ dependsOn }) => dependsOn));
      for (const job of (await this.jobs(host, ['uncertain'])).filter(({ id }) => ids.has(id)))
        await this.resolve(host, job, this.random() < 0.5 ? 'lost' : 'resend');
      waiting = await this.untilSettled(host, until);
    }
  }

  private async resolve(host: Host, { id }: Job, as: 'lookup' | 'lost' | 'resend'): Promise<void> {
    if (as === 'resend') this.expected.resent(id);
    const { state } = await host.ask('jobs.resolve', { id, as });
    this.expected.log(`resolve ${id} as ${as} at the end answered ${state}`);
  }

  /** Waits until nothing changes; returns the jobs that wait for an unconfirmed one. */
  private async untilSettled(host: Host, until: number): Promise<Job[]> {
    for (;;) {
      while ((await this.load.serveMedia(host, 20)) > 0);
      // The request of a canceled job may still be out; its answer changes the ledger.
      const open = (await this.jobs(host, ['queued', 'blocked', 'sending', 'running', 'fetching', 'canceled'])).filter(
        ({ state, attempts }) => state !== 'canceled' || attempts.some(({ outcome }) => outcome === 'sending'),
      );
      if (open.every(({ reason }) => reason === 'dependency')) return open;
      for (const job of open.filter(({ reason }) => reason && RETRYABLE_REASONS.includes(reason)))
        await host.rpc('jobs.retry', { id: job.id });
      const risen = open.filter(({ reason }) => reason === 'priceRose').map(({ id }) => id);
      if (risen.length > 0) await host.rpc('jobs.confirmPrice', { ids: risen });
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

  /** Ends the studio and audits what it leaves. */
  async audit(): Promise<AuditResult> {
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
      expected: this.expected,
      dataDir: this.dataDir,
    });
  }

  async stop(): Promise<void> {
    await this.host?.kill('SIGKILL');
    await this.service.kill('SIGKILL');
  }
}

/** The summary of a scenario. */
export function summaryLines(found: AuditResult): string[] {
  return [
    `  acknowledged ${found.acknowledged} orders, lost 0; ${found.billed} billed, doubled 0; ${found.inDoubt} in doubt at the end`,
    `  ${found.definite} definite jobs equal their bill to the nano-dollar: ${found.settledNano} of ${found.billedNano}; in doubt ${found.uncertainNano} for the other ${found.billedNano - found.settledNano}`,
    `  ${found.outputs} results whole under their hash; ${found.entries} ledger entries = jobs = sums; the database is whole`,
  ];
}

const RETRYABLE_REASONS: string[] = ['auth', 'quota', 'offline', 'rate', 'key'];

/** Faults of gateways. Each rule applies on its turn until the next set. */
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
