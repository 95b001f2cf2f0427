import type { StudioEvent } from '../../shared/contract/events.ts';
import { ok } from '../../shared/contract/result.ts';
import { isPlayMoney } from '../../shared/gateway/profile.ts';
import { Batches } from './batch/index.ts';
import { Chat, ChatFiles } from './chat/index.ts';
import { type CoreEvents, createCoreEvents } from './coreEvents.ts';
import { createBackups } from './createBackups.ts';
import { createDirector } from './createDirector.ts';
import { createLeaving } from './createLeaving.ts';
import { createUpdates } from './createUpdates.ts';
import { Diagnostics, type DiagnosticsDeps } from './diagnostics/index.ts';
import { Evidence } from './evidence/index.ts';
import { Exports } from './exports/index.ts';
import { MovieTasks } from './film/index.ts';
import { createFolderWork, createLibrary } from './folderWork.ts';
import { createGateway, type Gateway, type OpenedClient } from './gateway/index.ts';
import { Imports } from './imports/index.ts';
import { Engine, JobQueries, jobTable } from './jobs/index.ts';
import { LedgerWriter, PriceBook, PriceCalls } from './ledger/index.ts';
import {
  AssetMarks,
  clipFactsInProcess,
  freeBytesAt,
  hashesOfFile,
  type Library,
  LibraryPlace,
} from './library/index.ts';
import { type ModelCallDeps, ModelCalls } from './models/index.ts';
import { namingModules } from './namingModules.ts';
import { Night } from './night/index.ts';
import type { Ports, StudioOptions } from './ports.ts';
import { KeepAwake } from './power/index.ts';
import { dialectMemory, IgnoredKeys, LaterWrite, Profiles, type ProfilesDeps, spokenBy } from './profiles/index.ts';
import { Sample } from './sample/index.ts';
import { createScrubber, createSecretGuard } from './secrets/index.ts';
import { billedLines, type StatementDeps, Statements } from './statements/index.ts';
import type { Store } from './store/index.ts';
import { hasProject, Storyboard } from './storyboard/index.ts';
import { Triage } from './triage/index.ts';
import { startWebhooks } from './webhooks/index.ts';

/** The studio's modules, connected to each other. */
export type Modules = Awaited<ReturnType<typeof buildModules>>;

/** Builds the modules on an open database, each from those above it; nothing runs until the engine is started. */
export async function buildModules(ports: Ports, options: StudioOptions, store: Store) {
  const { clock, ids, log } = ports;
  const bus = createBus(ports);
  const events = createCoreEvents();
  const place = new LibraryPlace(options.dataDir);
  await place.look();
  const common = { store, clock, ids, log, events, emit: bus.emit, dataDir: options.dataDir, place };
  const { secrets, scrub } = createSecrets(log);
  const ledger = new LedgerWriter({ clock, ids });
  const jobs = new JobQueries(store);
  const { profiles, ignoredKeys, later } = createProfiles({ ...common, ports, options, secrets, books: () => prices });
  const library = createLibrary({ ...common, ports, profiles, ...clientsForResults(profiles) });
  await library.settled();
  const freeBytes = () => library.room.freeBytes();
  const marks = new AssetMarks({ ...common, bin: library.bin });
  const receiver = await startWebhooks({ ...common, jobs });
  const engine = new Engine({
    ...ports,
    ...common,
    freeBytes,
    ledger,
    profiles,
    projects: { has: hasProject },
    library,
    hookUrl: receiver.urlFor,
  });
  const prices = new PriceBook({ store, log, profiles, ledger, jobs: engine.commands, jobTable });
  const priceCalls = createPriceCalls({ ...common, prices, profiles, engine });
  const activeProfile = () => profiles.active();
  const chat = new Chat({ ...common, jobs: engine.commands, activeProfile });
  const storyboard = new Storyboard({ ...common, engine, activeProfile });
  const { director, quotes } = createDirector({ ...common, ports, engine, profiles, storyboard });
  const batches = createBatches({ ...common, profiles, storyboard, engine, secrets });
  const exports = new Exports({ ...common, version: options.version, freeBytes: ports.freeBytes ?? freeBytesAt });
  const folderWork = createFolderWork({ ...common, ports, profiles, library, exports });
  const { verifier } = folderWork;
  const imports = new Imports({ ...common, library, verifier, freeBytes, secretIn: (value) => secrets.heldIn(value) });
  const chatFiles = new ChatFiles({ ...common, exports });
  const movies = new MovieTasks({ ...common, bytesOf: bytesIn(library), readBack: clipFactsInProcess });
  library.bin.nameBy(namingModules({ storyboard, engine, exports }));
  const whole = { engine, library, verifier, profiles, storyboard, chatFiles, imports, exports, secrets, movies };
  const { film, bundles } = createLeaving({ ...common, ports, options, ...whole });
  const sample = createSample({ ...common, options, engine, profiles, library, storyboard });
  const night = createNight({ ...common, ports, bus, engine, profiles, storyboard, freeBytes });
  const backups = createBackups({ ...common, ...folderWork, profiles, storyboard, chat, night, engine });
  const updates = createUpdates({ ...common, ports, profiles, engine, night, backups });
  const triage = createTriage({ events, engine, library, storyboard, night });
  const hash = async (file: string) => (await hashesOfFile(file)).sha512;
  const recorded = { jobs: jobTable, billed: billedLines, version: options.version, hash };
  const evidence = new Evidence({ ...common, ...recorded, profiles, exports, storyboard, night });
  const awake = createKeepAwake({ ports, bus, engine, night });
  const first = [later, updates, ...Object.values(folderWork), backups, imports, bundles, receiver, awake, night];
  const close = () => closeAll(engine, [...first, quotes, exports, engine, library, profiles, store]);
  const diagnostics = createDiagnostics({ ...common, options, bus, library, profiles, scrub });
  const given = { ports, options, store, bus, events, secrets, diagnostics, ...folderWork };
  const books = { prices, priceCalls, ignoredKeys, ...createBooks({ ...common, profiles, ledger, engine }) };
  const leaving = { exports, bundles, evidence, film, movies, sample, backups, updates };
  const documents = { chat, chatFiles, director, quotes, ...leaving, batches, storyboard, imports, marks, triage };
  return { ...given, ...books, profiles, library, engine, night, awake, ...documents, receiver, close };
}

const clientsForResults = (profiles: Profiles) => ({
  // Most links need no key: they must not expire while one is looked for.
  gatewayFor: async (id: string) => clientIn(await profiles.openClient(id, { allowNoKey: true })),
  lacksKey: async (id: string) => ['no key', 'unreadable'].includes((await profiles.openClient(id)).status),
});

const createBooks = ({
  engine,
  ...parts
}: Omit<StatementDeps, 'bills'> &
  Omit<ModelCallDeps, 'readModels' | 'profiles'> & { engine: Engine; profiles: Profiles }) => ({
  models: createModels(parts),
  statements: new Statements({ ...parts, bills: engine.bills }),
});

const createModels = (parts: Omit<ModelCallDeps, 'readModels' | 'profiles'> & { profiles: Profiles }): ModelCalls =>
  new ModelCalls({
    ...parts,
    readModels: async (id) => clientIn(await parts.profiles.openClient(id, { allowNoKey: true }))?.readModels(),
  });

function createPriceCalls({
  engine,
  profiles,
  ...parts
}: Pick<Given, 'store' | 'engine'> &
  Pick<ConstructorParameters<typeof PriceCalls>[0], 'prices' | 'emit' | 'clock' | 'ids'> & {
    profiles: Profiles;
  }): PriceCalls {
  return new PriceCalls({
    ...parts,
    profiles,
    mismatches: engine.priceMismatches,
    announce: (jobIds) => engine.commands.announce(jobIds),
    listPrices: async (id) => clientIn(await profiles.openClient(id, { allowNoKey: true }))?.listPrices(),
  });
}

/** Every key that was read or typed in this run: none leaves in the log, in another field or in the diagnostics. */
function createSecrets(log: Ports['log']) {
  const scrubber = createScrubber();
  const secrets = createSecretGuard((secret) => {
    log.hide(secret);
    scrubber.hide(secret);
  });
  return { secrets, scrub: scrubber.scrub };
}

function createDiagnostics({
  bus,
  ...parts
}: Omit<DiagnosticsDeps, 'checked'> & { bus: ReturnType<typeof createBus> }): Diagnostics {
  let checked: string | undefined;
  bus.subscribe((event) => {
    if (event.type === 'store.checked') checked = event.ok ? 'whole' : event.message;
  });
  return new Diagnostics({ ...parts, checked: () => checked });
}

function createSample({
  options,
  engine,
  profiles,
  ...parts
}: Pick<Given, 'store' | 'engine'> & {
  ids: Ports['ids'];
  options: StudioOptions;
  profiles: Profiles;
  library: Library;
  storyboard: Storyboard;
}): Sample {
  const profile = (id: string) => profiles.get(id);
  return new Sample({ ...parts, jobs: engine.commands, profile, folder: options.sampleDir });
}

function createBatches({
  store,
  storyboard,
  engine,
  secrets,
  ...parts
}: Pick<Given, 'store' | 'engine'> & {
  clock: Ports['clock'];
  ids: Ports['ids'];
  profiles: Profiles;
  storyboard: Storyboard;
  secrets: ReturnType<typeof createSecretGuard>;
}): Batches {
  return new Batches({
    ...parts,
    projects: () => storyboard.projects().projects,
    secretIn: (request) => secrets.heldIn(request),
    jobs: {
      reasons: (profile, request) => engine.commands.reasons(profile, request),
      kept: (before, limit) => jobTable.kept(store.read, before, limit),
      inHand: (requests, work) => engine.commands.inHand.during(requests, work),
      repeated: (input) => engine.batches.repeated(input),
      enqueue: (input, profile, orders) => engine.batches.enqueue(input, profile, orders),
    },
  });
}

/** The profiles, with what is written later where the settings file cannot be written now, as where another program holds it. */
function createProfiles({
  ports,
  options: { sandbox },
  secrets: { hide },
  books,
  ...common
}: Pick<Given, 'ports' | 'store' | 'events'> &
  Pick<Ports, 'clock' | 'log'> & {
    options: StudioOptions;
    secrets: Pick<ProfilesDeps, 'hide'>;
    emit(event: StudioEvent): void;
    books(): PriceBook;
  }) {
  const { keys, settings, ids } = ports;
  const jobs = new JobQueries(common.store);
  const dialects = dialectMemory(settings);
  const openGateway = openerOf(ports, dialects);
  const later = new LaterWrite(common.clock, () => {
    try {
      profiles.writeLeft();
      books().resumeWrites();
    } catch (error) {
      common.log.error({ error: String(error) }, 'the settings file cannot be written yet');
    }
  });
  const onUnwritten = () => {
    later.ask();
    // It holds all the same, though the call has failed.
    common.emit({ type: 'profiles.changed' });
  };
  const onWritten = () => ignoredKeys.written();
  const forgetFound = (id: string) => dialects.remember(id, {});
  const spoken: ProfilesDeps['spoken'] = (profile) => spokenBy(dialects.recall(profile.id), profile);
  const own = { spoken, keys, settings, ids, openGateway, hide, forgetFound, jobs, onUnwritten, onWritten };
  const profiles: Profiles = new Profiles({ ...own, ...(sandbox ? { sandbox } : {}) });
  const ignoredKeys: IgnoredKeys = new IgnoredKeys({ ...common, profiles });
  common.events.on('key.ignored', (id) => ignoredKeys.found(id));
  return { profiles, ignoredKeys, later };
}

const openerOf = ({ clock, log, network }: Ports, dialects: ReturnType<typeof dialectMemory>) =>
  createGateway({ now: clock.now, after: clock.after, ...dialects, log, ...(network ? { network } : {}) });

const bytesIn = (library: Library) => (assetId: string) => {
  const file = library.open(assetId);
  return file.ok ? file.data.bytes : 0;
};

const clientIn = (opened: OpenedClient): Gateway | null => (opened.status === 'ready' ? opened.client : null);

interface Given {
  ports: Ports;
  store: Store;
  bus: ReturnType<typeof createBus>;
  events: CoreEvents;
  engine: Engine;
}

function createNight(given: Given & { profiles: Profiles; storyboard: Storyboard; freeBytes(): number }): Night {
  const { ports, store, bus, events, engine, profiles, storyboard, freeBytes } = given;
  const night = new Night({
    ...ports,
    store,
    freeBytes,
    emit: bus.emit,
    events,
    jobs: {
      assignNight: (input) => engine.many.assignNight(input),
      isPaused: () => engine.queries.isPaused(),
      limitsOf: (lane) => engine.limitsOf(lane),
      isOutOfOrder: (lane) => engine.isOutOfOrder(lane),
    },
    jobTable,
    takesBeside: (projectId, jobId) => storyboard.takesBeside(projectId, jobId),
    profiles: {
      state: async (id) => {
        const { status } = await profiles.openClient(id);
        return { status, name: profiles.get(id)?.name ?? id };
      },
      balance: (id) => profiles.balance(id),
      isPlay: () => isPlayMoney(profiles.active().id),
    },
  });
  ports.power?.onSourceChange?.(() => night.powerChanged());
  return night;
}

function createTriage({
  events,
  engine,
  library,
  storyboard,
  night,
}: Pick<Given, 'events' | 'engine'> & { library: Library; storyboard: Storyboard; night: Night }): Triage {
  return new Triage({
    events,
    jobs: engine.queries,
    measures: (sha256s) => library.measures(sha256s),
    night: (runId) => {
      const report = night.report(runId);
      return report.ok ? ok({ id: report.data.run.id, number: report.data.run.number }) : report;
    },
    limitsOf: (projectId) => {
      const board = storyboard.get(projectId);
      return board.ok ? board.data.triageLimits : undefined;
    },
    setLimits: (projectId, limits) => storyboard.setTriageLimits(projectId, limits),
  });
}

function createKeepAwake({ ports, bus, engine, night }: Omit<Given, 'store' | 'events'> & { night: Night }) {
  const awake = new KeepAwake({
    clock: ports.clock,
    power: ports.power,
    emit: bus.emit,
    nextDueAt: () => {
      const moments = [engine.queries.nextDueAt(night.sleepsThrough()), night.startsAt()].filter(
        (at) => at !== undefined,
      );
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
  });
  bus.subscribe(({ type }) => {
    if (type === 'queue.changed' || type === 'night.changed') awake.update();
    else if (type === 'job.changed') awake.jobChanged();
  });
  return awake;
}

/**
 * Closes them one after the other: nothing is closed that an open module still needs. The first may take longer than the program has, and
 * what is sent meanwhile would end in doubt: nothing is.
 */
async function closeAll(engine: Engine, modules: readonly ({ close(): unknown } | undefined)[]): Promise<void> {
  engine.stopSending();
  for (const module of modules) await module?.close();
}

/** Every change goes through one bus; a listener that throws does not keep the others from being notified. */
function createBus({ log }: Pick<Ports, 'log'>) {
  const listeners = new Set<(event: StudioEvent) => void>();
  return {
    emit: (event: StudioEvent): void => {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ error: String(error), event: event.type }, 'a listener threw');
        }
      }
    },
    subscribe: (listener: (event: StudioEvent) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
