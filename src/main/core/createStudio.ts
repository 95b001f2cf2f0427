import { type CallName, contract, isCallName } from '../../shared/contract.ts';
import type { StudioEvent } from '../../shared/events.ts';
import { fail, parseInput, type Result } from '../../shared/result.ts';
import { Chat } from './chat/index.ts';
import { createGateway } from './gateway/index.ts';
import { handlersOf } from './handlers.ts';
import { createEngine } from './jobs/index.ts';
import { createPoster } from './ledger/index.ts';
import { createLibrary } from './library/index.ts';
import type { Ports, StudioOptions } from './ports.ts';
import { dialectMemory, Profiles } from './profiles/index.ts';
import { openStore, type Store } from './store/index.ts';
import { Storyboard } from './storyboard/index.ts';
import type { Studio } from './studio.ts';
import { startWebhooks, type Webhooks } from './webhooks/index.ts';

export type { Ports, StudioOptions } from './ports.ts';
export { sandboxProfile } from './profiles/index.ts';
export type { Studio } from './studio.ts';

/**
 * The composition root: opens the data folder and builds the rooms from what the host provides. A folder that cannot be used
 * (written by a newer Dailies, not readable) is an error value with the sentence for the user.
 */
export async function createStudio(ports: Ports, options: StudioOptions): Promise<Result<Studio>> {
  const opened = openStore({ dataDir: options.dataDir, clock: ports.clock, log: ports.log });
  if (!opened.ok) return opened;
  const rooms = await buildRooms(ports, options, opened.data);
  const handlers = handlersOf(rooms);
  rooms.engine.start();
  rooms.library.announceWork();
  return {
    ok: true,
    data: {
      call: (name, input) => answer(ports, handlers, name, input),
      subscribe: rooms.bus.subscribe,
      media: { open: rooms.library.open, upload: rooms.library.upload },
      close: rooms.close,
    },
  };
}

export type Rooms = Awaited<ReturnType<typeof buildRooms>>;

async function buildRooms(ports: Ports, options: StudioOptions, store: Store) {
  const { clock, ids, log } = ports;
  const bus = createBus(ports);
  const openGateway = createGateway({
    now: clock.now,
    after: clock.after,
    ...dialectMemory(ports.settings),
    ...(options.proxy ? { proxy: options.proxy } : {}),
  });
  const profiles = new Profiles({
    keys: ports.keys,
    settings: ports.settings,
    ids,
    openGateway,
    hide: log.hide,
    ...(options.sandbox ? { sandbox: options.sandbox } : {}),
  });
  const library = createLibrary({
    store,
    clock,
    ids,
    log,
    dataDir: options.dataDir,
    emit: bus.emit,
    gatewayFor: async (id) => {
      const gateway = await profiles.gatewayFor(id);
      return gateway === 'no key' ? null : gateway;
    },
    downloadsAtOnce: () => profiles.active().limits.downloadsAtOnce,
    onOutputSettled: (jobId) => engine.outputSettled(jobId),
    onOutputFault: () => undefined,
    onDerived: (assetId, kind, error) => {
      const asset = library.get(assetId);
      if (kind === 'lastFrame' && asset.ok && asset.data.jobId) engine.frameTaken(asset.data.jobId, error);
    },
  });
  let webhooks: Webhooks | undefined;
  const engine = createEngine({
    store,
    clock,
    ids,
    random: ports.random,
    log,
    notifier: ports.notifier,
    dataDir: options.dataDir,
    poster: createPoster({ clock, ids }),
    emit: bus.emit,
    profiles,
    library,
    hookUrl: (profile, jobId, secret) => webhooks?.urlFor(profile, jobId, secret),
    onDelta: (jobId, delta) => chat.onDelta(jobId, delta),
    onChatChanged: (jobId) => chat.onJobChanged(jobId),
  });
  const chat = new Chat({ store, clock, ids, engine, emit: bus.emit, activeProfile: () => profiles.active() });
  const storyboard = new Storyboard({ store, clock, ids, engine, emit: bus.emit });
  webhooks = await startWebhooks({ secretOf: engine.hookSecretOf, poke: engine.poke, log });
  const close = async (): Promise<void> => {
    await webhooks?.close();
    await engine.close();
    await library.close();
    await profiles.close();
    store.close();
  };
  return { ports, options, store, bus, profiles, library, engine, chat, storyboard, close };
}

/** Every change goes through one bus; a listener that throws does not keep the others from hearing it. */
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

/** One place where every call is parsed and answered, whichever transport it came by. */
async function answer(
  ports: Ports,
  handlers: ReturnType<typeof handlersOf>,
  name: string,
  input: unknown,
): Promise<Result<unknown>> {
  if (!isCallName(name)) return fail('not_found', `There is no call named ${name.slice(0, 100)}.`);
  const parsed = parseInput(contract[name].input, input ?? {});
  if (!parsed.ok) return parsed;
  try {
    const handle = handlers[name] as (input: unknown) => Promise<Result<unknown>> | Result<unknown>;
    return await handle(parsed.data);
  } catch (error) {
    return crashed(ports, name, error);
  }
}

function crashed(ports: Ports, name: CallName, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  ports.log.error(
    { call: name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    'a call ended in an exception',
  );
  if (code === 'SQLITE_FULL' || code === 'ENOSPC')
    return fail('disk_full', 'The disk is full. Nothing was changed; make room and try again.');
  return fail('internal', 'Something went wrong in Dailies. Nothing was sent.');
}
