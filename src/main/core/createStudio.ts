import path from 'node:path';
import { contract, isCallName } from '../../shared/contract/contract.ts';
import { fail, parseInput, type Result } from '../../shared/contract/result.ts';
import { en } from '../../shared/text/texts.ts';
import { handlersOf } from './calls/index.ts';
import { buildBase } from './coreServices.ts';
import { freeBytesOf } from './durableFiles.ts';
import { isDiskFull } from './faults.ts';
import { IdleMemory } from './idleMemory.ts';
import { folderAnswers, folderSilent } from './library/index.ts';
import { buildModules, type Modules } from './modules.ts';
import type { MediaFile, MediaUpload, Ports, StudioOptions } from './ports.ts';
import { databaseFile, keepReserve, migrateInThread, noteChange, openStore, watchingChanges } from './store/index.ts';
import type { Studio } from './studio.ts';
import { type StartStep, StudioStart } from './studioStart.ts';
import { TurnGate } from './timeSlicing.ts';

export type { Ports, StudioOptions } from './ports.ts';
export { sandboxProfile } from './profiles/index.ts';
export type { Studio } from './studio.ts';

/** Steps that repair what a crash interrupted come first, then the queue starts. A step that could not be written may run again. */
const startSteps = (ports: Ports, modules: Modules, { dataDir, dailyBackups }: StudioOptions): StartStep[] => [
  () => modules.prices.resumeWrites(),
  () => modules.prices.resumeLimits(),
  () => modules.prices.settleSandbox(),
  () => modules.ignoredKeys.resume(),
  () => modules.profiles.forgetLeftovers(),
  () => modules.exports.recover(),
  () => modules.mover.recover(),
  () => modules.bundles.recover(),
  () => modules.library.mediaWork.reopen(),
  () => modules.library.bin.resume(),
  () => modules.binKeeper.start(),
  () => modules.pictureSizes.start(),
  () => modules.engine.start(),
  () => {
    modules.quotes.start();
    modules.night.start();
    modules.awake.update();
    if (dailyBackups) modules.backups.start();
    modules.updates.start();
  },
  // Concurrent: commands are accepted without it.
  async () => keepReserve(dataDir, { freeBytes: ports.freeBytes ?? freeBytesOf, log: ports.log }),
];

/**
 * The composition root: opens the data folder and builds the modules on the host's ports. A folder that cannot be used (written by a newer
 * Dailies, not readable) is an error with a sentence for the user.
 */
export async function createStudio(given: Ports, options: StudioOptions): Promise<Result<Studio>> {
  const ports = notingPorts(given);
  const { dataDir, onMigration: onStep } = options;
  const parts = { dataDir, clock: ports.clock, log: ports.log };
  await migrateInThread({ ...parts, file: databaseFile(dataDir), onStep });
  const opened = openStore(parts);
  if (!opened.ok) return opened;
  const modules = buildModules(await buildBase(ports, options, opened.data));
  const handlers = handlersOf(modules);
  const start = new StudioStart(ports, startSteps(ports, modules, options));
  start.goOn();
  // After the host has subscribed, or it would miss that a media page is needed.
  const cancelAnnouncement = ports.clock.after(0, () => modules.library.mediaWork.announce());
  const idle = new IdleMemory(() => {
    opened.data.releaseMemory();
    ports.releaseMemory?.();
  });
  modules.bus.subscribe(() => idle.used());
  const gate = new TurnGate();
  return {
    ok: true,
    data: {
      call: async (name, input) => {
        idle.used();
        const turn = gate.enter();
        if (turn) await turn;
        try {
          return await answer({ modules, handlers, start }, name, input);
        } finally {
          gate.leave();
        }
      },
      subscribe: modules.bus.subscribe,
      media: {
        open: (id) => openFile(modules, id),
        upload: (file) => uploadMedia({ modules, start }, file, () => modules.imports.upload(file)),
        receiveBundle: (file) => uploadMedia({ modules, start }, file, () => modules.bundles.receive(file)),
        writeFilm: (taskId, at, body) => modules.movies.write(taskId, at, body),
      },
      exports: {
        open: (id, name) =>
          modules.exports.open(id, name).catch((error) => crashed(ports, { name: 'exports.open', ...READ }, error)),
      },
      stopSending: () => modules.engine.stopSending(),
      close: () => {
        cancelAnnouncement();
        start.close();
        gate.close();
        idle.close();
        return modules.close();
      },
    },
  };
}

/** Parses and answers every call, whichever transport it came by. */
async function answer(
  { modules, handlers, start }: { modules: Modules; handlers: ReturnType<typeof handlersOf>; start: StudioStart },
  name: string,
  input: unknown,
): Promise<Result<unknown>> {
  if (!isCallName(name)) return fail('not_found', `There is no call named ${name.slice(0, 100)}.`);
  const { kind, input: schema } = contract[name];
  const parsed = parseInput(schema, input ?? {});
  if (!parsed.ok) return parsed;
  const work = async (): Promise<Result<unknown>> => {
    if (kind === 'command') {
      const refusal = start.refusal() ?? (await refuseSecrets(modules, parsed.data));
      if (refusal) return refusal;
    }
    const unanswered = await unansweredFolder(parsed.data);
    if (unanswered) return unanswered;
    const handle = handlers[name] as (input: unknown) => Promise<Result<unknown>> | Result<unknown>;
    return await handle(parsed.data);
  };
  return watchingChanges(work, (error, hasChanged) => crashed(modules.ports, { name, kind, hasChanged }, error));
}

/** The ports, noting writes to the settings file or key store: these remain even if the database has no room for the rest. */
function notingPorts(ports: Ports): Ports {
  const { settings, keys } = ports;
  const { repairNotice } = settings;
  return {
    ...ports,
    settings: {
      read: (key) => settings.read(key),
      write(key, value) {
        settings.write(key, value);
        noteChange();
      },
      ...(repairNotice === undefined ? {} : { repairNotice }),
    },
    keys: {
      place: () => keys.place(),
      get: (name) => keys.get(name),
      async set(name, value) {
        const place = await keys.set(name, value);
        noteChange();
        return place;
      },
      async forget(name) {
        await keys.forget(name);
        noteChange();
      },
    },
  };
}

/** Fields for secrets, whose values go only to the key store. Names of extra headers are checked. */
const SECRET_FIELDS = new Set(['apiKey', 'botToken', 'extraHeaders']);

/** Refuses a key pasted into another field, before it is sent to a model or written to a file. */
async function refuseSecrets({ profiles, secrets }: Modules, input: object): Promise<Result<never> | undefined> {
  await profiles.secretsKnown();
  const open = Object.fromEntries(Object.entries(input).filter(([field]) => !SECRET_FIELDS.has(field)));
  const { extraHeaders } = input as { extraHeaders?: object };
  const field = secrets.findSecret({ ...open, ...(extraHeaders ? { extraHeaders: Object.keys(extraHeaders) } : {}) });
  if (field === undefined) return undefined;
  const message = en`${field}: contains one of your API keys. Enter keys only in the key field of a gateway. Nothing was sent or saved.`;
  return fail('invalid_input', message, { field, isSecret: true });
}

/** Pages request pictures even while the database is closing. */
function openFile({ library, ports }: Modules, id: string): Result<MediaFile> {
  try {
    return library.open(id);
  } catch (error) {
    return crashed(ports, { name: 'media.open', ...READ }, error);
  }
}

const READ = { kind: 'query', hasChanged: false } as const;

/** A full disk or a bug must be answered, so that the sender is not left waiting. */
async function uploadMedia<T>(
  { modules, start }: { modules: Modules; start: StudioStart },
  file: Pick<MediaUpload, 'name' | 'body'>,
  take: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const work = async (): Promise<Result<T>> => {
    const refusal = start.refusal() ?? (await refuseSecrets(modules, { name: file.name }));
    if (!refusal) return take();
    file.body.destroy();
    return refusal;
  };
  return watchingChanges(work, (error, hasChanged) => {
    file.body.destroy();
    return crashed(modules.ports, { name: 'media.upload', kind: 'command', hasChanged }, error);
  });
}

const FULL = en`The disk is full. Nothing was changed; make room and try again.`;
const FULL_IN_PART = en`The disk is full. The change may be done in part. Make room, and look before you repeat it.`;

function crashed(
  ports: Ports,
  { name, kind, hasChanged }: { name: string; kind: 'query' | 'command'; hasChanged: boolean },
  error: unknown,
): Result<never> {
  ports.log.error(
    { call: name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    'a call ended in an exception',
  );
  if (isDiskFull(error)) return fail('disk_full', hasChanged ? FULL_IN_PART : FULL);
  const meaning =
    kind === 'query'
      ? en`It could not be read. Nothing was changed by asking.`
      : en`The change may have been made. Check before you repeat it.`;
  return fail('internal', en`Something went wrong in Dailies. ${meaning}`);
}

/** The fields that name a file or folder of the user's. */
const PLACES = ['folder', 'path'] as const;

/** Refuses a call that names a path on a disk that does not answer, which would block. */
async function unansweredFolder(input: object): Promise<Result<never> | undefined> {
  for (const field of PLACES) {
    const place = (input as Record<string, unknown>)[field];
    if (typeof place !== 'string' || !path.isAbsolute(place) || (await folderAnswers(place))) continue;
    return folderSilent(field);
  }
  return undefined;
}
