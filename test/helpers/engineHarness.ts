import { type CoreEvents, createCoreEvents } from '../../src/main/core/coreEvents.ts';
import type {
  Gateway,
  GatewayError,
  PollOutcome,
  RepeatOutcome,
  SendOptions,
  SentRequest,
  SubmitOutcome,
} from '../../src/main/core/gateway/index.ts';
import { Engine } from '../../src/main/core/jobs/index.ts';
import { entries, LedgerWriter, totals } from '../../src/main/core/ledger/index.ts';
import { Library, LibraryLocation } from '../../src/main/core/library/index.ts';
import type { Clock } from '../../src/main/core/ports.ts';
import type { Store } from '../../src/main/core/store/index.ts';
import type { StudioEvent } from '../../src/shared/contract/events.ts';
import { isPlayMoney, type Profile, profileSchema } from '../../src/shared/gateway/profile.ts';
import { isTerminal, type Job } from '../../src/shared/jobs/job.ts';
import type { StudioRequest } from '../../src/shared/kinds/index.ts';
import type { LedgerEntry, MoneyTotals } from '../../src/shared/money/ledger.ts';
import { SANDBOX_PRICES } from '../../src/shared/money/price.ts';
import { openTestStore } from './emptyDatabase.ts';
import { countingIds, settle, silentLog, TestClock, tempDir } from './testPorts.ts';

/** The engine on a real database and library, with a scripted gateway. */

export const error = (fields: Partial<GatewayError> = {}): GatewayError => ({
  kind: 'server',
  message: 'The service said no.',
  retryable: false,
  accepted: 'no',
  ...fields,
});

export const refusal = (fields: Partial<GatewayError> = {}): SubmitOutcome => ({
  type: 'refused',
  error: error(fields),
  billed: 'no',
});
export const lostAnswer: SubmitOutcome = {
  type: 'unknown',
  error: error({ kind: 'network', message: 'The connection was reset.', accepted: 'unknown' }),
};
export const acceptance = (clock: TestClock, id = 'task-1'): SubmitOutcome => ({
  type: 'accepted',
  task: { id, kind: 'video', acceptedAt: clock.now() },
});

/** A 1×1 PNG inside the answer. */
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const finished = (uri = PIXEL): Extract<PollOutcome, { type: 'done' }> => ({
  type: 'done',
  outputs: [{ uri, role: 'output' }],
});

export interface Script {
  submit: SubmitOutcome[];
  poll: PollOutcome[];
  /** Number of requests sent so far. */
  sent: number;
  polled: number;
  keys: string[];
  /** The sent request; undefined if it is not kept. */
  body: string | undefined;
  /** The answers to repeated requests. */
  repeat: RepeatOutcome[];
  repeated: SentRequest[];
  /** Identifies the profile's secrets. */
  account: string;
  gateway: Partial<Gateway>;
}

export interface OrderOptions {
  dependsOn?: string[];
  notBefore?: number;
  night?: boolean;
  projectId?: string;
}

export interface EngineHarness {
  clock: TestClock;
  store: Store;
  engine: Engine;
  library: Library;
  script: Script;
  events: StudioEvent[];
  /** Events of other modules. */
  coreEvents: CoreEvents;
  onEvent(listener: (event: StudioEvent) => void): void;
  profile: Profile;
  /** Activates the built-in sandbox, or `p` again. */
  activate(id: 'p' | 'sandbox'): void;
  isPlay(): boolean;
  dataDir: string;
  enqueue(request: StudioRequest, extra?: OrderOptions): Promise<Job>;
  /** Enqueues that many copies in one call; returns their ids. */
  many(count: number, request?: StudioRequest, extra?: OrderOptions): Promise<string[]>;
  job(id: string): Job;
  sums(): MoneyTotals;
  /** Oldest first. */
  entriesOf(id: string): LedgerEntry[];
  /** Advances time in half-second steps, with disk work in between, until the job is as wanted. */
  until(id: string, wanted: (job: Job) => boolean): Promise<Job>;
  untilEnd(id: string): Promise<Job>;
  close(): Promise<void>;
}

export const aVideo: StudioRequest = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay at night',
  config: { durationSeconds: 4 },
};
/** $0.40 a second × 4 s, the higher interpretation. */
export const VIDEO_NANO = 1_600_000_000;

export interface EngineOptions {
  dataDir?: string;
  clock?: TestClock;
  /** Real time instead of the test clock, for measurements. */
  time?: Clock;
  script?: Partial<Script>;
  profile?: object;
  hasKey?: () => boolean | 'unreadable';
  freeBytes?: () => number;
  hasProject?: () => boolean;
  random?: () => number;
  /** Wraps the database, to end a run in the middle of its writes. */
  wrapStore?: (store: Store) => Store;
}

export function startEngine(options: EngineOptions = {}): EngineHarness {
  const clock = options.clock ?? new TestClock();
  const time = options.time ?? clock;
  const dataDir = options.dataDir ?? tempDir('engine');
  const opened = openTestStore({ dataDir, clock: time });
  const store = options.wrapStore?.(opened) ?? opened;
  const script: Script = {
    submit: [],
    poll: [],
    sent: 0,
    polled: 0,
    keys: [],
    ...NEVER_REPEATED(),
    gateway: {},
    ...options.script,
  };
  const parsed = profileSchema.parse({ id: 'p', name: 'P', baseUrl: 'http://127.0.0.1:1', ...options.profile });
  const profile: Profile = { ...parsed, id: 'p', name: 'P' };
  const sandbox: Profile = { ...profile, id: 'sandbox', name: 'Sandbox', prices: [...SANDBOX_PRICES] };
  let active = profile;
  const gateway = scriptedGateway(script);
  const events: StudioEvent[] = [];
  const listeners: ((event: StudioEvent) => void)[] = [(event) => void events.push(event)];
  const emit = (event: StudioEvent) => {
    for (const listener of listeners) listener(event);
  };
  const coreEvents = createCoreEvents();
  const ids = countingIds();
  const stamp = Math.random().toString(36).slice(2, 8);
  const uniqueIds = { ...ids, id: (prefix: string) => `${ids.id(prefix)}_${stamp}` };
  const library = new Library({
    namedBy: [],
    store,
    clock: time,
    ids: uniqueIds,
    log: silentLog,
    location: new LibraryLocation(dataDir),
    emit,
    gatewayFor: async () => gateway,
    lacksKey: async () => options.hasKey?.() === false,
    askTask: (jobId) => engine.askTask(jobId),
    downloadsAtOnce: () => 2,
    freeBytes: options.freeBytes ?? (() => 1e12),
    events: coreEvents,
  });
  const engine = new Engine({
    store,
    clock: time,
    ids: uniqueIds,
    random: options.random ?? (() => 0.5),
    log: silentLog,
    notifier: { notify: () => undefined },
    dataDir,
    ledger: new LedgerWriter({ clock: time, ids: uniqueIds }),
    emit,
    events: coreEvents,
    freeBytes: options.freeBytes ?? (() => 1e12),
    profiles: {
      get: (id) => [profile, sandbox].find((known) => known.id === id),
      active: () => active,
      openClient: async () => ({ status: statusOfKey(options.hasKey?.() ?? true), client: gateway }),
    },
    projects: { has: options.hasProject ?? (() => true) },
    library,
    hookUrl: () => undefined,
  });
  engine.start();
  const job = (id: string): Job => {
    const found = engine.queries.get(id);
    if (!found.ok) throw new Error(found.error.message);
    return found.data;
  };
  const until = async (id: string, wanted: (job: Job) => boolean): Promise<Job> => {
    for (let step = 0; step < 2_000 && !wanted(job(id)); step++) await clock.advance(500);
    if (!wanted(job(id))) throw new Error(`never came: ${JSON.stringify(job(id))}`);
    return job(id);
  };
  const enqueue = async (requests: StudioRequest[], extra: OrderOptions = {}): Promise<Job[]> => {
    const result = await engine.commands.enqueue({ requests, ...extra });
    if (!result.ok) throw new Error(result.error.message);
    await settle();
    return result.data.jobs;
  };
  return {
    clock,
    store,
    engine,
    library,
    script,
    events,
    coreEvents,
    onEvent: (listener) => void listeners.push(listener),
    profile,
    activate: (id) => {
      active = id === 'p' ? profile : sandbox;
    },
    isPlay: () => isPlayMoney(active.id),
    dataDir,
    job,
    sums: () => totals(store.read, 'kind', {}).sum,
    entriesOf: (jobId) => entries(store.read, { limit: 100, jobId }).entries.reverse(),
    enqueue: async (request, extra) => {
      const [first] = await enqueue([request], extra);
      if (!first) throw new Error('no job');
      return first;
    },
    many: async (count, request = aVideo, extra = {}) => {
      const jobs = await enqueue(
        Array.from({ length: count }, () => request),
        extra,
      );
      return jobs.map(({ id }) => id);
    },
    until,
    untilEnd: (id) => until(id, ({ state }) => isTerminal(state)),
    close: async () => {
      await engine.close();
      await library.close();
      store.close();
    },
  };
}

export const statusOfKey = (hasKey: boolean | 'unreadable') =>
  hasKey === 'unreadable' ? hasKey : hasKey ? 'ready' : 'no key';

const NEVER_REPEATED = (): Pick<Script, 'body' | 'repeat' | 'repeated' | 'account'> => ({
  body: undefined,
  repeat: [],
  repeated: [],
  account: 'account',
});

/** A request in the form in which the gateway client returns it to be kept. */
export const sentRequest = (key: string, body: string, account = 'account'): SentRequest => ({
  form: 'video',
  baseUrl: 'http://127.0.0.1:1',
  path: '/v1/chat/completions',
  headers: { 'content-type': 'application/json' },
  key,
  body,
  account,
});

function scriptedGateway(script: Script): Gateway {
  const submit = async (_order: unknown, options: SendOptions): Promise<SubmitOutcome> => {
    const isWanted =
      script.body === undefined ||
      (await options.keep?.(sentRequest(options.idempotencyKey, script.body, script.account)));
    if (isWanted === false) return refusal({ kind: 'network', retryable: true });
    script.sent += 1;
    script.keys.push(options.idempotencyKey);
    return script.submit.shift() ?? refusal({ message: 'the script has no more answers' });
  };
  return {
    chat: async () => ({ type: 'refused', error: error({ message: 'not scripted' }), billed: 'no' }),
    submitVideo: submit,
    submitImagine: submit,
    submitEdit: submit,
    submitTask: submit,
    repeat: async (request) => {
      script.repeated.push(request);
      return script.repeat.shift() ?? { outcome: refusal({ message: 'not scripted' }), replayed: false };
    },
    accountOf: () => script.account,
    poll: async () => {
      script.polled += 1;
      return script.poll.shift() ?? { type: 'running' };
    },
    fetchMedia: async () => ({ type: 'unreachable', error: error({ kind: 'network', accepted: 'no' }) }),
    listPrices: async () => ({ type: 'none' }),
    readModels: async () => ({ type: 'none' }),
    found: () => [],
    tryImageHeaders: async () => undefined,
    recordedCost: async () => undefined,
    balance: async () => undefined,
    test: async () => ({ steps: [] }),
    retire: async () => undefined,
    close: async () => undefined,
    ...script.gateway,
  };
}
