import fs from 'node:fs';
import type { StudioEvent } from '../../shared/events.ts';
import { isPlayMoney } from '../../shared/profile.ts';
import { Chat } from './chat/index.ts';
import { createGateway, type Gateway, type OpenedClient } from './gateway/index.ts';
import { Engine } from './jobs/index.ts';
import { LedgerWriter, PriceBook } from './ledger/index.ts';
import { Library } from './library/index.ts';
import { Night } from './night/index.ts';
import type { Ports, StudioOptions } from './ports.ts';
import { KeepAwake } from './power/index.ts';
import { dialectMemory, Profiles } from './profiles/index.ts';
import { createSecretGuard } from './secrets/index.ts';
import type { Store } from './store/index.ts';
import { Storyboard } from './storyboard/index.ts';
import { startWebhooks, type Webhooks } from './webhooks/index.ts';

/** The studio's modules, connected to each other. */
export type Modules = Awaited<ReturnType<typeof buildModules>>;

/** Builds the modules on an open database; nothing runs until the engine is started. */
export async function buildModules(ports: Ports, options: StudioOptions, store: Store) {
  const { clock, ids, log } = ports;
  const bus = createBus(ports);
  const secrets = createSecretGuard(log.hide);
  const openGateway = createGateway({
    now: clock.now,
    after: clock.after,
    ...dialectMemory(ports.settings),
    ...(options.proxy ? { proxy: options.proxy } : {}),
  });
  const profiles: Profiles = new Profiles({
    keys: ports.keys,
    settings: ports.settings,
    ids,
    openGateway,
    hide: secrets.hide,
    jobs: () => engine,
    ...(options.sandbox ? { sandbox: options.sandbox } : {}),
  });
  const library: Library = new Library({
    store,
    clock,
    ids,
    log,
    dataDir: options.dataDir,
    emit: bus.emit,
    // Most links need no key: they must not expire while one is looked for.
    gatewayFor: async (id) => clientIn(await profiles.openClient(id, { allowNoKey: true })),
    downloadsAtOnce: () => profiles.active().limits.downloadsAtOnce,
    onOutputSettled: (jobId) => engine.outputSettled(jobId),
    onMediaTaskEnd: (assetId, kind) => {
      const asset = library.get(assetId);
      if (kind === 'lastFrame' && asset.ok && asset.data.jobId) engine.lastFrameReady(asset.data.jobId);
    },
  });
  const freeBytes = () => (ports.freeBytes ?? freeBytesOf)(options.dataDir);
  const ledger = new LedgerWriter({ clock, ids });
  const engine: Engine = new Engine({
    store,
    clock,
    ids,
    random: ports.random,
    log,
    notifier: ports.notifier,
    dataDir: options.dataDir,
    ledger,
    emit: bus.emit,
    freeBytes,
    profiles,
    library,
    hookUrl: (profile, jobId, secret) => receiver.urlFor(profile, jobId, secret),
    onDelta: (jobId, delta) => chat.onDelta(jobId, delta),
    onChatChanged: (jobId) => chat.onJobChanged(jobId),
    onRetriedAsNew: (db, oldId, newId) => {
      chat.onRetriedAsNew(db, oldId, newId);
      storyboard.onRetriedAsNew(db, oldId, newId);
    },
  });
  const chat: Chat = new Chat({ store, clock, ids, engine, emit: bus.emit, activeProfile: () => profiles.active() });
  const storyboard: Storyboard = new Storyboard({ store, clock, ids, engine, emit: bus.emit });
  const prices = new PriceBook({ store, profiles, ledger, log, jobs: engine });
  const night = createNight(ports, { store, bus, engine, profiles, freeBytes });
  const receiver: Webhooks = await startWebhooks({ clock, log, store, jobs: engine });
  const awake = createKeepAwake(ports, { bus, engine, night });
  const close = () => closeAll([receiver, awake, night, engine, library, profiles, store]);
  const given = { ports, options, store, bus, secrets };
  return { ...given, profiles, prices, library, engine, night, awake, chat, storyboard, receiver, close };
}

const clientIn = (opened: OpenedClient): Gateway | null => (opened.status === 'ready' ? opened.client : null);

interface NightParts {
  store: Store;
  bus: ReturnType<typeof createBus>;
  engine: Engine;
  profiles: Profiles;
  freeBytes(): number;
}

function createNight(ports: Ports, { store, bus, engine, profiles, freeBytes }: NightParts): Night {
  const night = new Night({
    ...ports,
    store,
    freeBytes,
    emit: bus.emit,
    jobs: engine,
    profiles: {
      state: async (id) => {
        const { status } = await profiles.openClient(id);
        return { status, name: profiles.get(id)?.name ?? id };
      },
      balance: (id) => profiles.balance(id),
      isPlay: () => isPlayMoney(profiles.active().id),
    },
  });
  bus.subscribe((event) => {
    if (event.type === 'job.changed' && event.job.runId !== undefined) night.jobChanged();
  });
  return night;
}

function createKeepAwake(ports: Ports, { bus, engine, night }: Pick<NightParts, 'bus' | 'engine'> & { night: Night }) {
  const awake = new KeepAwake({
    clock: ports.clock,
    power: ports.power,
    emit: bus.emit,
    nextDueAt: () => {
      const moments = [engine.nextDueAt(), night.startsAt()].filter((at) => at !== undefined);
      return moments.length === 0 ? undefined : Math.min(...moments);
    },
  });
  bus.subscribe(({ type }) => {
    if (type === 'queue.changed' || type === 'night.changed') awake.update();
  });
  return awake;
}

/** Closes them one after the other: nothing is closed that an open module still needs. */
async function closeAll(modules: readonly ({ close(): unknown } | undefined)[]): Promise<void> {
  for (const module of modules) await module?.close();
}

function freeBytesOf(folder: string): number {
  const disk = fs.statfsSync(folder);
  return disk.bavail * disk.bsize;
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
