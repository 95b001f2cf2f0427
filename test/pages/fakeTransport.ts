import { readShotList } from '../../src/main/core/storyboard/shotList.ts';
import type { Transport } from '../../src/renderer/client/index.ts';
import type { CallName } from '../../src/shared/contract.ts';
import type { StudioEvent } from '../../src/shared/events.ts';
import type { Job } from '../../src/shared/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import { priceKindOf, quantityOf } from '../../src/shared/kinds/index.ts';
import type { PricedQuantity } from '../../src/shared/kinds/pricedQuantity.ts';
import type { Budget, MoneyTotals, PriceMismatch, TotalsRow } from '../../src/shared/ledger.ts';
import { type Nano, nanoFromDollars } from '../../src/shared/money.ts';
import { costOf, type Price, priceFor } from '../../src/shared/price.ts';
import { fail, ok, type Result } from '../../src/shared/result.ts';
import { board, jobs, libraryJobs, NOW } from './data.ts';
import { exportsOf, preflight } from './film.ts';
import { LANES, NOTHING_RUNS } from './lanes.ts';
import { countEnded, countFacets, listAssets, listJobs } from './lists.ts';
import { evidence } from './mismatch.ts';
import { night, nightDryRun, nightReport, ofLastNight } from './night.ts';
import { nightTakes } from './nightTakes.ts';
import { connectionSteps, conversations, pricePreview, prices, profiles, thread } from './people.ts';
import { measured, music, withSound } from './sound.ts';
import { smallDoubts, withoutPrice } from './unpriced.ts';

/**
 * A studio of plain data behind the client's port. Options in the address: `empty`, `offline`, `lost`, `first`, `theme=light`,
 * `slow` (queries never answer), `broken` (queries fail), `night=none|stopped|tight|open|new|failed|refused|nothing` (see `night.ts`),
 * `notice=disk,lane,host,night`, `test=dns|connect|tls|key|protocol` (the step that fails), `key=memory|environment|none`, `reasons` (a row for
 * every reason to wait), `play` (the sandbox is active), `unpriced` (pictures have no known price, and small doubts stand in the inbox),
 * `sound` (the film has music and words), `export=run|done|failed|canceled` (the film's last export), `fine` (its preflight finds nothing),
 * `mismatch` (an answer stated another price; its take differs from the order).
 */

const nano = (dollars: number): Nano => nanoFromDollars(dollars.toFixed(9));
const totals = (settled: number, low: number, reserved = 0, doubt = 0, unpriced = 0): MoneyTotals => ({
  settledNano: nano(settled),
  settledLowNano: nano(low),
  reservedNano: nano(reserved),
  uncertainNano: nano(doubt),
  unpriced,
});
const doubtOf = (jobs: readonly Job[]) => {
  const open = jobs.filter(({ state, money }) => state === 'uncertain' || money.uncertainNano > 0);
  return { count: open.length, nano: open.reduce((sum, { money }) => sum + money.uncertainNano, 0), unpriced: 0 };
};
const NO_DOUBT = { count: 0, nano: 0, unpriced: 0 };

type Handler = (input: never) => unknown;

/** Expected $0.40, stated $0.80: what waits at that price waits for the user. */
function mismatchOf(jobs: readonly Job[]): PriceMismatch {
  const job = jobs.find(({ state, kind }) => state === 'succeeded' && kind === 'video');
  return {
    id: 'mismatch',
    profileId: 'studio',
    kind: 'video',
    model: 'video-standard',
    jobId: job?.id ?? '',
    expectedNano: nano(0.4),
    expectedLowNano: nano(0.4),
    statedNano: nano(0.8),
    statedBy: 'usage.cost',
    at: NOW - 3_600_000,
    state: 'open',
    waiting: { count: 9, nowNano: nano(3.6), thenNano: nano(7.2) },
    adopts: {
      kind: 'video',
      model: 'video-standard',
      readings: [{ unit: 'video', nano: nano(0.8) }],
      settledReading: null,
      source: 'stated by usage.cost on 2026-11-21',
    },
  };
}

/** Made longer than it was ordered, and stated dearer than it was expected. */
function unlikeItsOrder(job: Job): Job {
  if (job.state !== 'succeeded' || job.kind !== 'video') return job;
  const differs = [{ what: 'seconds' as const, ordered: '4 s', made: '8 s' }];
  const note = 'Expected $0.40, stated $0.80 (usage.cost). What is stated is charged.';
  const money = { ...job.money, statedNano: nano(0.8), statedBy: 'usage.cost', statedAs: '0.80 USD', note };
  return { ...job, differs, money, outputs: job.outputs.map((asset) => ({ ...asset, differs })) };
}

class Fake {
  readonly listeners = new Set<(event: StudioEvent) => void>();
  readonly options: URLSearchParams;
  private readonly jobs: Job[];
  private readonly prices: Price[] = prices();
  private settings: Record<string, unknown>;

  constructor(options: URLSearchParams) {
    this.options = options;
    const all = [...jobs(options.has('reasons')), ...libraryJobs(), ...nightTakes(options)].map(ofLastNight);
    this.jobs = options.has('empty') ? [] : options.has('mismatch') ? all.map(unlikeItsOrder) : all;
    if (options.has('unpriced')) this.jobs = [...smallDoubts(), ...this.jobs.map(withoutPrice)];
    this.settings = {
      theme: options.get('theme') ?? 'dark',
      welcomed: !options.has('first'),
      activeProfileId: 'studio',
      projectId: 'ferry',
    };
  }

  emit(event: StudioEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private get empty(): boolean {
    return this.options.has('empty');
  }

  private status() {
    const offline = this.options.has('offline');
    if (this.empty) return { ...NOTHING_RUNS, offline, doubt: NO_DOUBT, doubtElsewhere: NO_DOUBT };
    return {
      revision: 1,
      paused: false,
      offline,
      running: 3,
      waiting: 5,
      lanes: LANES,
      doubt: doubtOf(this.jobs),
      doubtElsewhere: NO_DOUBT,
    };
  }

  private budgets(): Budget[] {
    if (this.empty) return [];
    return [
      { scope: 'day', play: false, hardNano: nano(30), used: totals(8.9, 3, 13.15, 2.8) },
      { scope: 'month', play: false, hardNano: nano(250), used: totals(81.28, 16.82, 13.15, 2.8) },
      { scope: 'project', play: false, projectId: 'ferry', softNano: nano(120), used: totals(46.3, 9, 13.15, 2.8) },
    ];
  }

  private totals({ groupBy, from, play = false }: { groupBy: string; from?: number; play?: boolean }) {
    if (this.empty) return { rows: [], sum: totals(0, 0), play };
    const unpriced = this.options.has('unpriced') ? 3 : 0;
    if (from !== undefined && from > NOW - 86_400_000 * 1.5)
      return { rows: this.rows(groupBy).slice(-1), sum: totals(8.9, 3, 13.15, 2.8, unpriced), play };
    return { rows: this.rows(groupBy), sum: totals(81.28, 16.82, 13.15, 2.8, unpriced), play };
  }

  private rows(groupBy: string): TotalsRow[] {
    if (groupBy === 'model') {
      return [
        { key: 'video-standard', jobs: 23, ...totals(59.2, 9.2, 12.8, 2.8) },
        { key: 'video-pro', jobs: 1, ...totals(16, 2) },
        { key: 'imagine', jobs: 86, ...totals(4.3, 4.3, 0.35) },
        { key: 'edit', jobs: 14, ...totals(0.7, 0.7) },
        { key: 'language', jobs: 41, ...totals(1.08, 0.62) },
      ];
    }
    if (groupBy === 'project') {
      return [
        { key: 'ferry', jobs: 92, ...totals(46.3, 9, 13.15, 2.8) },
        { key: 'salt', jobs: 60, ...totals(33, 7) },
        { key: '', jobs: 5, ...totals(1.98, 0.82) },
      ];
    }
    if (groupBy === 'kind') {
      return [
        { key: 'video', jobs: 24, ...totals(75.2, 11.2, 12.8, 2.8) },
        { key: 'imagine', jobs: 86, ...totals(4.3, 4.3, 0.35) },
        { key: 'edit', jobs: 14, ...totals(0.7, 0.7) },
        { key: 'chat', jobs: 41, ...totals(1.08, 0.62) },
      ];
    }
    const spent = [
      0, 3.25, 5.6, 0.4, 0, 7.15, 2.4, 0, 4.8, 6.45, 1.2, 0.35, 18.4, 0, 0.8, 5.25, 3.6, 4.88, 2.1, 5.8, 8.9,
    ];
    return spent.flatMap((amount, index) => {
      const day = new Date(NOW - (spent.length - 1 - index) * 86_400_000);
      const key = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
      const last = index === spent.length - 1;
      return amount === 0 ? [] : [{ key, jobs: 7, ...totals(amount, amount / 5, last ? 13.15 : 0, last ? 2.8 : 0) }];
    });
  }

  private estimate({ requests = [], quantities = [] }: { requests?: StudioRequest[]; quantities?: PricedQuantity[] }) {
    const asked: PricedQuantity[] = requests.map((request) => ({
      kind: request.kind,
      model: 'model' in request ? request.model : undefined,
      quantity: quantityOf(request, 4_096),
    }));
    const items = [...asked, ...quantities].map(({ kind, model, quantity }) => {
      const price = priceFor(this.prices, priceKindOf(kind), model);
      if (!price || (this.options.has('unpriced') && price.kind === 'image'))
        return { nano: 0, lowNano: 0, settled: false, source: '', unpriced: true as const };
      const cost = costOf(price, quantity);
      return { ...cost, settled: cost.nano === cost.lowNano, source: price.source };
    });
    const sum = (field: 'nano' | 'lowNano') => items.reduce((total, item) => total + item[field], 0);
    const unpriced = items.filter((item) => 'unpriced' in item).length;
    const settled = items.every((item) => item.settled);
    return { items, estimateNano: sum('nano'), lowNano: sum('lowNano'), settled, unpriced };
  }

  private setPrice({ price }: { price: Price }) {
    const at = this.prices.findIndex((own) => own.kind === price.kind && own.model === price.model);
    if (at < 0) this.prices.push(price);
    else this.prices[at] = price;
    return { prices: [...this.prices] };
  }

  private patchJob(id: string, change: Partial<Job>) {
    const at = this.jobs.findIndex((candidate) => candidate.id === id);
    const old = this.jobs[at];
    if (!old) return fail('not_found', 'There is no such job.');
    const changed = { ...old, ...change };
    this.jobs[at] = changed;
    this.emit({ type: 'job.changed', job: changed });
    return changed;
  }

  private settleDoubt(id: string, billedNano: number) {
    const old = this.jobs.find((candidate) => candidate.id === id);
    if (!old) return fail('not_found', 'There is no such job.');
    const charged = { chargedNano: billedNano, chargedLowNano: billedNano };
    const settled = this.patchJob(id, { money: { ...old.money, ...charged, uncertainNano: 0 } });
    this.emit({ type: 'ledger.changed' });
    return settled;
  }

  readonly handlers: Partial<Record<CallName, Handler>> = {
    'app.info': () => ({
      version: '0.1.0',
      host: 'browser',
      dataDir: '/home/maker/Dailies',
      profileId: 'studio',
      offline: this.options.has('offline'),
      awake: 'held',
      webhookAddress: 'http://127.0.0.1:41230',
    }),
    'app.painted': () => null,
    'app.openExternal': () => null,
    'settings.get': () => this.settings,
    'settings.set': (patch: Record<string, unknown>) => {
      this.settings = { ...this.settings, ...patch };
      this.emit({ type: 'settings.changed' });
      return this.settings;
    },
    'profiles.list': () => ({
      profiles: profiles(this.options.get('key')),
      activeId: this.options.has('play') ? 'sandbox' : 'studio',
      keyStore: this.options.get('key') === 'memory' ? 'memory' : 'keychain',
      unreadable: this.options.has('unreadable')
        ? [{ id: 'old', name: 'Old gateway', field: 'fieldCase', message: "fieldCase: must be 'camel' or 'snake'" }]
        : [],
    }),
    'profiles.save': (input: { name?: string; limits?: { outputTokens?: number } }) =>
      (input.limits?.outputTokens ?? 0) > 4_096
        ? fail('invalid_input', 'limits.outputTokens: must be 1 to 4096', { field: 'limits.outputTokens' })
        : { ...profiles()[0], ...input },
    'profiles.setKey': () =>
      this.options.get('key') === 'none'
        ? fail('store_unavailable', 'apiKey: the keychain refused it. Unlock it and try again.')
        : { stored: 'keychain' },
    'profiles.testConnection': () => ({ steps: connectionSteps(this.options.get('test')) }),
    'jobs.list': (input: never) => listJobs(this.jobs, input),
    'jobs.ended': (input: never) => countEnded(this.jobs, input),
    'jobs.get': ({ id }: { id: string }) =>
      this.jobs.find((candidate) => candidate.id === id) ?? fail('not_found', 'There is no such job.'),
    'jobs.judge': ({ id, verdict }: { id: string; verdict: Job['verdict'] | null }) =>
      this.patchJob(id, { verdict: verdict ?? undefined }),
    'jobs.cancel': ({ id }: { id: string }) => this.patchJob(id, { state: 'canceled', finishedAt: NOW }),
    'jobs.resolve': ({ id, as }: { id: string; as: string }) =>
      this.patchJob(id, as === 'lost' ? { state: 'failed', finishedAt: NOW } : {}),
    'jobs.settleDoubt': ({ id, billedNano }: { id: string; billedNano: number }) => this.settleDoubt(id, billedNano),
    'queue.status': () => this.status(),
    'night.get': () => night(this.options),
    'night.dryRun': () => nightDryRun(this.jobs, this.options),
    'night.plan': () => night(this.options).current,
    'night.stop': () => night(this.options).current,
    'night.assign': () => night(this.options),
    'night.report': () =>
      this.empty ? fail('not_found', 'No night has begun yet.') : nightReport(this.options, this.jobs),
    'queue.pause': () => ({ ...this.status(), paused: true }),
    'queue.resume': () => this.status(),
    'chat.list': ({ offset = 0, limit = 100 }: { offset?: number; limit?: number }) => {
      const all = this.empty ? [] : conversations();
      return { conversations: all.slice(offset, offset + limit), total: all.length };
    },
    'chat.get': ({ conversationId }: { conversationId: string }) => thread(conversationId),
    'chat.create': () => ({ conversationId: 'chat_0' }),
    'chat.stop': () => null,
    'chat.send': () => ({ messageId: 'm4', jobId: 'job_chat2' }),
    'projects.list': () => ({
      projects: [
        { id: 'ferry', name: 'Last Ferry', createdAt: NOW - 9e9 },
        { id: 'salt', name: 'Salt Road', createdAt: NOW - 9e9 },
      ],
      removed: [],
    }),
    'library.list': (input: never) => listAssets(this.jobs, input),
    'library.facets': (input: never) => countFacets(this.jobs, input),
    'library.get': ({ id }: { id: string }) =>
      (this.options.has('sound') && id === 'harbour-theme' ? music(NOW) : undefined) ??
      listAssets(this.jobs, {}).assets.find((asset) => asset.id === id) ??
      fail('not_found', 'There is no such asset.'),
    'library.download': ({ id }: { id: string }) =>
      id === 'storm'
        ? fail('wrong_state', 'It has no address that can be downloaded.')
        : listAssets(this.jobs, {}).assets.find((asset) => asset.id === id),
    'library.stats': () => ({ assets: 12_846, bytes: 38.2e9, freeBytes: 214e9, remote: 2, expired: 1 }),
    'ledger.totals': (input: never) => this.totals(input),
    'ledger.estimate': (input: never) => this.estimate(input),
    'ledger.entries': () => ({ entries: [] }),
    'budgets.list': () => ({ budgets: this.budgets() }),
    'budgets.set': () => ({ budgets: this.budgets() }),
    'prices.list': () => ({ prices: this.prices }),
    'prices.mismatches': () => ({ mismatches: this.options.has('mismatch') ? [mismatchOf(this.jobs)] : [] }),
    'prices.mismatch': () => evidence(mismatchOf(this.jobs), this.jobs),
    'prices.set': (input: never) => this.setPrice(input),
    'prices.preview': () => pricePreview(this.prices),
    'prices.import': () => ({ prices: this.prices }),
    'profiles.balance': () => ({ balanceNano: 41_270_000_000, at: NOW }),
    'media.claim': () => ({ task: null }),
    'storyboard.get': () => (this.options.has('sound') ? withSound(board(this.jobs)) : board(this.jobs)),
    'board.bin': () => ({ shots: [] }),
    'board.steps': () => ({ canUndo: true, canRedo: false, undo: 'remove shot 4' }),
    'media.measures': ({ sha256s }) => ({ files: measured(sha256s) }),
    'film.preflight': () => preflight(board(this.jobs), this.jobs, this.options.has('fine')),
    'film.export': () => exportsOf('run')[0],
    'exports.list': () => ({ exports: exportsOf(this.options.get('export')) }),
    'exports.cancel': () => exportsOf('canceled')[0],
    'exports.reveal': () => null,
    'exports.chooseFolder': () => ({ folder: '/home/maker/Films' }),
    'film.readShots': ({ text, format }: { text: string; format: 'csv' | 'lines' }) => {
      const read = readShotList(text, format, { models: ['video-standard', 'video-pro'], room: 495 });
      return read.ok ? read.data : read;
    },
  };
}

const SHELL_CALLS = ['app.', 'settings.', 'profiles.list', 'queue.status', 'projects.'];

/** `notice=disk,lane,host,night`: what is told a moment after the start. */
function noticesFor(options: URLSearchParams): StudioEvent[] {
  const error = { type: 'notice', level: 'error' } as const;
  const lane = { kind: 'video', profileId: 'studio' } as const;
  const known: Record<string, StudioEvent> = {
    disk: {
      ...error,
      about: 'room for results',
      text: 'The disk is full. Results wait at the gateway: make room before their links end; it goes on by itself.',
    },
    lane: {
      ...error,
      about: 'lane video:studio',
      lane,
      text: 'Studio gateway fails again and again (videos). It is tried now and then until it works.',
    },
    host: {
      ...error,
      about: 'host https://gateway.example',
      text: 'Studio gateway cannot be reached. What waits goes on by itself when it is back.',
    },
    night: { ...error, urgent: true, text: 'The night was stopped: 5 failures in a row.' },
  };
  return (options.get('notice') ?? '').split(',').flatMap((name) => known[name] ?? []);
}

function isResult(value: unknown): value is Result<unknown> {
  return typeof value === 'object' && value !== null && 'ok' in value && 'error' in value;
}

export function fakeTransport(options: URLSearchParams): Transport {
  const fake = new Fake(options);
  return {
    host: 'electron',
    async call(name, input) {
      const inner = !SHELL_CALLS.some((prefix) => name.startsWith(prefix));
      if (inner && options.has('slow')) return new Promise(() => {});
      if (inner && options.has('broken')) return fail('store_unavailable', 'The library is busy with a backup.');
      const handler = fake.handlers[name as CallName];
      if (!handler) return fail('not_found', `The fake studio has no ${name}.`);
      const value = handler((input ?? {}) as never);
      return isResult(value) ? value : ok(structuredClone(value));
    },
    subscribe(onEvent, onLink) {
      fake.listeners.add(onEvent);
      onLink(options.has('lost') ? 'lost' : 'up');
      for (const notice of noticesFor(options)) setTimeout(() => fake.emit(notice), 300);
      return () => fake.listeners.delete(onEvent);
    },
    mediaUrl: (assetId) => `/stills/${assetId}.webp`,
    upload: async (_body, name) => fail('unsupported_media', `${name}: only pictures and clips can be imported.`),
    writeFilm: async () => fail('not_found', 'No film is made here.'),
  };
}
