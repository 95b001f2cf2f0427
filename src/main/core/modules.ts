import type { CallParsed } from '../../shared/contract/contract.ts';
import { ok } from '../../shared/contract/result.ts';
import { DEFAULT_LIBRARY } from '../../shared/contract/settings.ts';
import { isPlayMoney } from '../../shared/gateway/profile.ts';
import { Backups } from './backups/index.ts';
import { Batches } from './batch/index.ts';
import { Bundles } from './bundle/index.ts';
import { Chat, ConversationFiles } from './chat/index.ts';
import { type Base, clientIn } from './coreServices.ts';
import { createUpdates } from './createUpdates.ts';
import { Diagnostics } from './diagnostics/index.ts';
import { Director } from './director/index.ts';
import { freeBytesOf } from './durableFiles.ts';
import { Evidence } from './evidence/index.ts';
import { Film, MovieTasks } from './film/index.ts';
import { Imports } from './imports/index.ts';
import { jobTable } from './jobs/index.ts';
import { ledgerFromBackup, PriceCalls } from './ledger/index.ts';
import {
  AssetMarks,
  AutoEmptyBin,
  BundledFiles,
  clipFactsInProcess,
  FileThread,
  freeBytesAt,
  hashesOfFile,
  holdersOfContent,
  isDownloadPending,
  Mover,
  marksFromBackup,
  PictureSizes,
  Verifier,
} from './library/index.ts';
import { ModelCalls } from './models/index.ts';
import { Night } from './night/index.ts';
import { KeepAwake } from './power/index.ts';
import { QuoteBook, Quotes } from './quotes/index.ts';
import { Sample } from './sample/index.ts';
import { billedLines, Statements } from './statements/index.ts';
import { Triage } from './triage/index.ts';

export type Modules = ReturnType<typeof buildModules>;

/** Builds the modules, each from those before it; nothing runs until they are started. */
export function buildModules(base: Base) {
  const documents = { ...base, ...buildDocuments(base) };
  const { engine, profiles, library, store, later, receiver } = base;
  const leaving = { ...documents, ...buildLeaving(documents) };
  const night = createNight(documents);
  leaveRemovedProject(documents);
  const backups = createBackups({ ...leaving, night });
  const updates = createUpdates({ ...base, night, backups });
  const modules = { ...leaving, night, backups, updates };
  const awake = createKeepAwake(modules);
  const { mover, verifier, binKeeper, pictureSizes, imports, bundles, quotes, exports } = modules;
  const first = [later, updates, mover, verifier, binKeeper, pictureSizes, backups, imports, bundles, receiver, awake];
  const all: readonly { close(): unknown }[] = [...first, night, quotes, exports, engine, library, profiles, store];
  /**
   * Closes them one after the other: nothing is closed that an open module still needs. Sending stops first, since a request sent during a
   * slow close would be unconfirmed.
   */
  const close = async (): Promise<void> => {
    engine.stopSending();
    for (const module of all) await module.close();
  };
  const others = { awake, evidence: createEvidence(modules), triage: createTriage(modules) };
  return { ...modules, ...others, diagnostics: createDiagnostics(base), close };
}

/** The user's documents and the library. */
function buildDocuments(base: Base) {
  const { engine, library, profiles } = base;
  const verifier = new Verifier(base);
  const bytesOf = (assetId: string) => {
    const file = library.open(assetId);
    return file.ok ? file.data.bytes : 0;
  };
  return {
    ...createMoney(base),
    ...createDirector(base),
    ...createFolderWork(base),
    verifier,
    chat: new Chat({ ...base, jobs: engine.commands }),
    conversationFiles: new ConversationFiles(base),
    batches: createBatches(base),
    imports: new Imports({ ...base, verifier }),
    marks: new AssetMarks({ ...base, bin: library.bin }),
    movies: new MovieTasks({ ...base, bytesOf, readBack: clipFactsInProcess }),
    sample: new Sample({
      ...base,
      jobs: engine.commands,
      profile: (id) => profiles.get(id),
      folder: base.options.sampleDir,
    }),
  };
}

type Documents = Base & ReturnType<typeof buildDocuments>;
type WithNight = Documents & { night: Night };

/** Prices and bills of gateways. */
function createMoney({ engine, profiles, ...parts }: Base) {
  const client = async (id: string) => clientIn(await profiles.openClient(id, { allowNoKey: true }));
  return {
    priceCalls: new PriceCalls({
      ...parts,
      profiles,
      mismatches: engine.priceMismatches,
      announce: () => engine.commands.sumsChanged(),
      listPrices: async (id) => (await client(id))?.listPrices(),
    }),
    models: new ModelCalls({ ...parts, profiles, readModels: async (id) => (await client(id))?.readModels() }),
    statements: new Statements({ ...parts, profiles, bills: engine.bills }),
  };
}

/** The director and the quotes: drafts and requests of programs are both approved through quotes. */
function createDirector(parts: Base) {
  const director = new Director({ ...parts, quotes: new QuoteBook(parts.clock) });
  const drafts = {
    approve: (input: CallParsed<'director.approve'>) => director.approve(input),
    decline: (ids: readonly string[]) => director.decline(ids),
  };
  return { director, quotes: new Quotes({ ...parts, drafts, random: () => parts.ports.random() }) };
}

/** The library's move, the automatic emptying of the bin, and the re-reading of sizes. */
function createFolderWork({ ports, profiles, library, exports, ...common }: Base) {
  const { store } = common;
  const settings = () => profiles.getSettings().library ?? DEFAULT_LIBRARY;
  const mover = new Mover({
    ...common,
    freeBytes: ports.freeBytes ?? freeBytesAt,
    floorBytes: () => settings().floorBytes,
    isPending: (id) => isDownloadPending(store.read, id),
    isNamed: (sha256) => holdersOfContent(store.read, [sha256]).length > 0,
    inTurn: (work) => library.inUse.inTurn(work),
    thread: new FileThread(),
    wakeDownloads: () => library.wakeDownloads(),
    isReadSince: (at) => jobTable.isSendingSince(store.read, at),
    leaveOld: (from, to) => exports.leave(from, to),
  });
  const emptied = () => common.emit({ type: 'settings.changed' });
  const binKeeper = new AutoEmptyBin({ ...common, bin: library.bin, settings, emptied });
  return { mover, binKeeper, pictureSizes: new PictureSizes(common) };
}

function createBatches({ store, storyboard, engine, ...parts }: Base): Batches {
  return new Batches({
    ...parts,
    projects: () => storyboard.projects().projects,
    jobs: {
      reasons: (profile, request) => engine.commands.reasons(profile, request),
      kept: (before, limit) => jobTable.kept(store.read, before, limit),
      inUse: (requests, work) => engine.commands.inUse.during(requests, work),
      repeated: (input) => engine.batches.repeated(input),
      enqueue: (input, profile, items) => engine.batches.enqueue(input, profile, items),
    },
  });
}

/** Film exports and bundles. */
function buildLeaving(documents: Documents) {
  const { ports, engine, library, profiles, storyboard, conversationFiles, imports, dataDir } = documents;
  const freeBytes = ports.freeBytes ?? freeBytesOf;
  const getJob = (id: string) => engine.queries.get(id);
  const bundles = new Bundles({
    ...documents,
    chats: conversationFiles,
    files: new BundledFiles({ ...documents, inUse: library.inUse, bin: library.bin }),
    announceMedia: () => library.mediaWork.announce(),
    jobs: engine.commands,
    freeBytes: () => Math.min(library.room.freeBytes(), freeBytes(dataDir)),
    getJob,
    getAsset: (id) => library.get(id),
    openAsset: (id) => library.open(id),
    elsewhere: (id) => imports.elsewhere(id),
    gatewayName: (id) => profiles.get(id)?.name,
    chatsOf: (db, projectId) => conversationFiles.ofProject(db, projectId),
    board: (projectId) => storyboard.get(projectId),
    projectName: (id) => storyboard.projectName(id),
  });
  return { film: new Film({ ...documents, getJob }), bundles };
}

/** Deselects the open project when it is removed: new work would go to a hidden project. */
function leaveRemovedProject({ bus, profiles, storyboard }: Documents): void {
  bus.subscribe(({ type }) => {
    if (type !== 'projects.changed') return;
    const { projectId = '' } = profiles.getSettings();
    if (projectId === '' || storyboard.projects().projects.some(({ id }) => id === projectId)) return;
    profiles.patchSettings({ projectId: '' });
    bus.emit({ type: 'settings.changed' });
  });
}

function createNight({ ports, profiles, storyboard, engine, ...parts }: Documents): Night {
  const night = new Night({
    ...ports,
    ...parts,
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

/** Backups, with each module's part of a restore. */
function createBackups(modules: WithNight): Backups {
  const { profiles, storyboard, chat, night, engine, binKeeper } = modules;
  return new Backups({
    ...modules,
    settings: () => profiles.getSettings(),
    copyProject: (db, id, name) => storyboard.copyPastProject(db, id, name),
    announceProjects: () => storyboard.announceProjects(),
    newThread: () => new FileThread(),
    parts: [
      ledgerFromBackup,
      storyboard.restoreParticipant(),
      chat.restoreParticipant(),
      engine.many.restoreParticipant((db) => engine.batches.isWriting(db)),
      marksFromBackup,
      night.plans.restoreParticipant(),
      binKeeper.restoreParticipant(),
    ],
  });
}

function createEvidence(modules: WithNight): Evidence {
  const hash = async (file: string) => (await hashesOfFile(file)).sha512;
  return new Evidence({ ...modules, jobs: jobTable, billed: billedLines, hash });
}

function createTriage({ events, engine, library, storyboard, night }: WithNight): Triage {
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

function createKeepAwake({ ports, clock, bus, engine, night }: WithNight): KeepAwake {
  const awake = new KeepAwake({
    clock,
    power: ports.power,
    emit: bus.emit,
    nextDueAt: () => {
      const moments = [engine.queries.nextDueAt(night.letsMachineSleep()), night.startsAt()].filter(
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

function createDiagnostics(base: Base): Diagnostics {
  let checked: string | undefined;
  base.bus.subscribe((event) => {
    if (event.type === 'store.checked') checked = event.ok ? 'whole' : event.message;
  });
  return new Diagnostics({ ...base, checked: () => checked });
}
