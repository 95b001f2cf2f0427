import type { StudioEvent } from '../../shared/contract/events.ts';
import { DEFAULT_LIBRARY } from '../../shared/contract/settings.ts';
import { referencedInChats } from './chat/index.ts';
import { type CoreEvents, createCoreEvents } from './coreEvents.ts';
import { Exports } from './exports/index.ts';
import { createGateway, type Gateway, type OpenedClient } from './gateway/index.ts';
import { Engine, JobQueries, jobTable, referencedInJobs } from './jobs/index.ts';
import { LedgerWriter, PriceBook } from './ledger/index.ts';
import { freeBytesAt, Library, type LibraryDeps, LibraryLocation } from './library/index.ts';
import type { Ports, StudioOptions } from './ports.ts';
import {
  DelayedWrite,
  detectedFormats,
  dialectMemory,
  IgnoredKeys,
  Profiles,
  type ProfilesDeps,
} from './profiles/index.ts';
import { createScrubber, createSecretGuard } from './secrets/index.ts';
import type { Store } from './store/index.ts';
import { hasProject, referencedInBoards, Storyboard } from './storyboard/index.ts';
import { createBus } from './studio.ts';
import { startWebhooks } from './webhooks/index.ts';

export type Base = Awaited<ReturnType<typeof buildBase>>;

export async function buildBase(ports: Ports, options: StudioOptions, store: Store) {
  const { clock, ids, log } = ports;
  const { dataDir, version } = options;
  const bus = createBus(ports);
  const location = new LibraryLocation(dataDir);
  await location.look();
  const studio = { ports, options, bus, version, dataDir, location, store, clock, ids, log };
  const common = { ...studio, events: createCoreEvents(), emit: bus.emit, ...createSecrets(log) };
  const ledger = new LedgerWriter({ clock, ids });
  const { profiles, ignoredKeys, later } = createProfiles(common, () => prices);
  const library = createLibrary({
    ...common,
    profiles,
    askTask: (jobId) => engine.askTask(jobId),
    namedBy: [
      {
        reason: 'board',
        documents: 'boards',
        namedIn: referencedInBoards,
        namedInMemory: () => storyboard.namedInHistories(),
      },
      { reason: 'chat', documents: 'conversations', namedIn: referencedInChats },
      {
        reason: 'job',
        documents: 'jobs',
        namedIn: referencedInJobs,
        namedInMemory: () => engine.commands.inUse.named(),
      },
      { reason: 'export', filesInUse: () => exports.filesInUse(), filesLinked: () => exports.filesLinked() },
    ],
  });
  await library.settled();
  const freeBytes = () => library.room.freeBytes();
  const receiver = await startWebhooks({ ...common, jobs: new JobQueries(store) });
  const projects = { has: hasProject };
  const parts = { ...common, freeBytes, ledger, profiles, library };
  const engine = new Engine({ ...ports, ...parts, projects, hookUrl: receiver.urlFor });
  const prices = new PriceBook({ store, log, profiles, ledger, jobs: engine.commands, jobTable });
  const helpers = {
    activeProfile: () => profiles.active(),
    secretIn: (value: unknown) => common.secrets.findSecret(value),
  };
  const storyboard = new Storyboard({ ...parts, ...helpers, engine });
  const exports = new Exports({ ...parts, ...helpers, freeBytes: ports.freeBytes ?? freeBytesAt });
  return { ...parts, ...helpers, ignoredKeys, later, receiver, engine, prices, storyboard, exports };
}

/** Every key read or typed in this run; none may appear in the log, in another field or in the diagnostics. */
function createSecrets(log: Ports['log']) {
  const scrubber = createScrubber();
  const secrets = createSecretGuard((secret) => {
    log.hide(secret);
    scrubber.hide(secret);
  });
  return { secrets, scrub: scrubber.scrub };
}

interface Common extends Pick<Ports, 'clock' | 'ids' | 'log'> {
  ports: Ports;
  options: StudioOptions;
  store: Store;
  location: LibraryLocation;
  events: CoreEvents;
  emit(event: StudioEvent): void;
  secrets: Pick<ProfilesDeps, 'hide'>;
}

/** The profiles. If the settings file cannot be written now, as when another program holds it, it is written later. */
function createProfiles({ ports, options: { sandbox }, secrets: { hide }, ...common }: Common, books: () => PriceBook) {
  const { keys, settings, ids, clock, log, network } = ports;
  const jobs = new JobQueries(common.store);
  const dialects = dialectMemory(settings);
  const openGateway = createGateway({
    now: clock.now,
    after: clock.after,
    ...dialects,
    log,
    ...(network ? { network } : {}),
  });
  const later = new DelayedWrite(clock, () => {
    try {
      profiles.retryWrite();
      books().resumeWrites();
    } catch (error) {
      log.error({ error: String(error) }, 'the settings file cannot be written yet');
    }
  });
  const onUnwritten = () => {
    later.ask();
    // The change applies although the call has failed.
    common.emit({ type: 'profiles.changed' });
  };
  const onWritten = () => ignoredKeys.written();
  const forgetFound = (id: string) => dialects.remember(id, {});
  const spoken: ProfilesDeps['spoken'] = (profile) => detectedFormats(dialects.recall(profile.id), profile);
  const own = { spoken, keys, settings, ids, openGateway, hide, forgetFound, jobs, onUnwritten, onWritten };
  const profiles: Profiles = new Profiles({ ...own, ...(sandbox ? { sandbox } : {}) });
  const ignoredKeys: IgnoredKeys = new IgnoredKeys({ ...common, profiles });
  common.events.on('key.ignored', (id) => ignoredKeys.found(id));
  return { profiles, ignoredKeys, later };
}

type OfLibrary = Common & { profiles: Profiles } & Pick<LibraryDeps, 'askTask' | 'namedBy'>;

function createLibrary({ ports, profiles, ...common }: OfLibrary): Library {
  return new Library({
    ...common,
    downloadsAtOnce: () => profiles.active().limits.downloadsAtOnce,
    ...(ports.freeBytes ? { freeBytes: ports.freeBytes } : {}),
    limits: () => profiles.getSettings().library ?? DEFAULT_LIBRARY,
    // Most links need no key, and must not expire while the keychain is locked.
    gatewayFor: async (id) => clientIn(await profiles.openClient(id, { allowNoKey: true })),
    lacksKey: async (id) => ['no key', 'unreadable'].includes((await profiles.openClient(id)).status),
  });
}

export const clientIn = (opened: OpenedClient): Gateway | null => (opened.status === 'ready' ? opened.client : null);
