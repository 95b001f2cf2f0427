import type { AppInfo, CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { isPlayMoney, KEY_UNREADABLE } from '../../../shared/gateway/profile.ts';
import type { AddedToNight } from '../../../shared/jobs/addedToNight.ts';
import { expandPrompt } from '../../../shared/jobs/promptMatrix.ts';
import { laneNamed } from '../../../shared/kinds/index.ts';
import type { libraryFolderCalls } from '../../../shared/library/libraryFolder.ts';
import type { Batches } from '../batch/index.ts';
import { atGateways } from '../jobs/index.ts';
import type { Modules } from '../modules.ts';
import type { AddedJob } from '../night/index.ts';
import { noSuchProfile, tryImageHeaders } from '../profiles/index.ts';
import { searchAll } from '../search/index.ts';
import { databaseFile, listBackups, type ReadDb, type Store } from '../store/index.ts';
import { exportHandlers, libraryFolderHandlers } from './folderCalls.ts';
import { walksMany, walksManyAssets, walksManyJobs } from './manyRows.ts';
import { moneyHandlers, unknownProject } from './moneyCalls.ts';
import { loginHandlers, recoveryHandlers } from './programCalls.ts';

/** The contract's calls, each delegated to its module. A missing one is a compile error. */
export function handlersOf(modules: Modules): Handlers {
  return {
    ...appHandlers(modules),
    ...profileHandlers(modules),
    ...jobHandlers(modules),
    ...batchHandlers(modules),
    ...chatHandlers(modules),
    ...modules.director.handlers(),
    ...modules.quotes.handlers(),
    ...boardHandlers(modules),
    ...filmHandlers(modules),
    ...exportHandlers(modules),
    ...modules.backups.handlers(),
    ...modules.bundles.handlers(),
    ...modules.updates.handlers(),
    ...loginHandlers(modules.ports),
    ...modules.imports.handlers(),
    ...modules.marks.handlers(),
    ...modules.evidence.handlers(),
    ...libraryHandlers(modules),
    ...libraryFolderHandlers(modules),
    'diagnostics.read': async () => ok({ text: await modules.diagnostics.read() }),
    'search.all': (input) => ok(modules.store.readTransaction((db) => searchAll(db, input))),
    ...moneyHandlers(modules),
    ...modules.priceCalls.handlers(),
    ...modules.models.handlers(),
    'webhooks.selfTest': ({ profileId }) => {
      const profile = modules.profiles.get(profileId);
      return profile ? modules.receiver.selfTest(profile) : noSuchProfile;
    },
    ...modules.statements.handlers(),
    ...nightHandlers(modules),
    ...triageHandlers(modules),
  };
}

/** Calls of the library that are answered by other modules. */
type Elsewhere = 'library.export' | keyof typeof libraryFolderCalls | LibraryCallsOf<'imports' | 'marks'>;
type LibraryCallsOf<Module extends 'imports' | 'marks'> = Module extends unknown
  ? keyof ReturnType<Modules[Module]['handlers']>
  : never;

type Part<Prefix extends string> = {
  [Name in Exclude<keyof Handlers, Elsewhere> as Name extends `${Prefix}.${string}` ? Name : never]: Handlers[Name];
};

function appHandlers(modules: Modules): Part<'app' | 'settings' | 'store'> {
  const { ports, options, store, bus, profiles, engine, awake, receiver, backups } = modules;
  let checked = false;
  let damaged = false;
  const checkAndBackUp = async (): Promise<void> => {
    const result = await store.check();
    if (!result) return;
    damaged = !result.ok;
    // A damaged database replaces no whole one.
    if (result.ok) await backups.makeDaily();
    bus.emit({ type: 'store.checked', ...result });
  };
  /** The backups that can replace a damaged database, whether found damaged at start or by the check. */
  const recovery = (): AppInfo['recovery'] =>
    damaged
      ? { movedTo: databaseFile(options.dataDir), backups: listBackups(options.dataDir), inPlace: true }
      : store.recovery;
  const info = (): AppInfo => ({
    version: options.version,
    host: options.host,
    dataDir: options.dataDir,
    profileId: profiles.active().id,
    offline: engine.isOffline(profiles.active().id),
    awake: awake.state(),
    webhookAddress: receiver.address,
    ...(options.launcher === undefined ? {} : { launcher: options.launcher }),
    ...(recovery() ? { recovery: recovery() } : {}),
  });
  return {
    'app.info': () => ok(info()),
    'app.painted': () => {
      // Not before the first paint: checking a large file takes a while.
      if (!checked) ports.clock.after(1_500, () => void checkAndBackUp());
      checked = true;
      return ok(null);
    },
    'app.openExternal': async ({ url }) => {
      await ports.opener.openExternal(url);
      return ok(null);
    },
    'settings.get': () => ok(profiles.getSettings()),
    'settings.set': (patch) => {
      const settings = profiles.patchSettings(patch);
      bus.emit({ type: 'settings.changed' });
      return ok(settings);
    },
    ...recoveryHandlers(modules, recovery),
  };
}

function profileHandlers(modules: Modules): Part<'profiles'> {
  const { ports, profiles, engine, bus, events, store } = modules;
  const emitIfOk = <T>(id: string | undefined, result: Result<T>): Result<T> => {
    if (result.ok) {
      bus.emit({ type: 'profiles.changed' });
      if (id !== undefined) events.emit('profile.changed', id);
    }
    return result;
  };
  /** Another profile is active: announces the sums, budgets and doubt of its side. */
  const emitSideChange = (): void => {
    bus.emit({ type: 'settings.changed' });
    engine.commands.announce([]);
  };
  return {
    'profiles.list': async () => {
      const list = await profiles.list();
      for (const { id, key, builtin } of list.profiles)
        if (key === 'unreadable' && !builtin) events.emit('key.unreadable', id);
      return ok({ ...list, atGateway: atGateways(store.read) });
    },
    'profiles.save': async (input) => {
      const refusal = modules.priceCalls.invalidPrices(input);
      if (refusal) return refusal;
      const before = modules.priceCalls.beforeSave(input);
      const saved = await profiles.save(input);
      if (!saved.ok) return saved;
      modules.priceCalls.savePrices(before, input.prices);
      return emitIfOk(saved.data.id, ok({ ...saved.data, prices: input.prices ?? saved.data.prices }));
    },
    'profiles.activate': ({ id }) => {
      const activated = emitIfOk(undefined, profiles.activate(id));
      if (activated.ok) emitSideChange();
      return activated;
    },
    'profiles.remove': async ({ id }) => {
      const wasActive = profiles.active().id === id;
      const removed = emitIfOk(undefined, await profiles.remove(id));
      if (removed.ok && wasActive) emitSideChange();
      return removed;
    },
    'profiles.setKey': async ({ id, apiKey }) => emitIfOk(id, await profiles.setKey(id, apiKey)),
    'profiles.forgetKey': async ({ id }) => emitIfOk(undefined, await profiles.forgetKey(id)),
    'profiles.balance': async ({ id }) => {
      if (!profiles.get(id)) return noSuchProfile;
      return ok({ balanceNano: (await profiles.balance(id)) ?? null, at: ports.clock.now() });
    },
    'profiles.testConnection': async ({ id }) => {
      // It would be tested without its key, and said to have none.
      if ((await profiles.openClient(id)).status === 'unreadable') return fail('wrong_state', KEY_UNREADABLE);
      const opened = await profiles.openClient(id, { allowNoKey: true });
      if (opened.status !== 'ready') return noSuchProfile;
      return emitIfOk(undefined, ok(await opened.client.test()));
    },
    'profiles.found': async ({ id }) => {
      const opened = await profiles.openClient(id, { allowNoKey: true });
      return opened.status === 'ready' ? ok({ found: opened.client.found() }) : noSuchProfile;
    },
    'profiles.undoFound': async ({ id }) => emitIfOk(undefined, await profiles.undoFound(id)),
    'profiles.tryImageHeaders': async ({ id }) => emitIfOk(undefined, await tryImageHeaders(profiles, id)),
  };
}

function jobHandlers({ store, engine, profiles }: Modules): Part<'jobs' | 'queue'> {
  const isPlay = () => isPlayMoney(profiles.active().id);
  const setPaused = async (paused: boolean, { lane }: CallParsed<'queue.pause'>) => {
    const unknown = lane && (laneNamed(lane.kind) ? undefined : noSuchLane);
    if (unknown) return unknown;
    await engine.commands.setPaused(paused, lane);
    return ok(engine.status());
  };
  return {
    'jobs.enqueue': (input) => engine.commands.enqueue(input),
    'jobs.get': ({ id }) => engine.queries.get(id),
    'jobs.list': async (filter) =>
      ok(await awayIf(walksManyJobs(filter), store, (db) => engine.queries.list(filter, isPlay(), db))),
    'jobs.ended': (which) => ok(engine.queries.ended(which, isPlay())),
    'jobs.cancel': ({ id }) => engine.commands.cancel(id),
    'jobs.retry': (input) => engine.commands.retry(input),
    'jobs.move': ({ id, before }) => engine.commands.move(id, before),
    'jobs.resolve': (input) => engine.commands.resolve(input),
    'jobs.allowUnpriced': (input) => engine.commands.allowUnpriced(input),
    'jobs.billedTwice': (input) => engine.commands.billedTwice(input),
    'jobs.settleDoubt': ({ id, billedNano }) => engine.commands.settleDoubt(id, billedNano),
    'jobs.judge': ({ id, verdict }) => engine.commands.setVerdict(id, verdict),
    'jobs.chosen': (input) => engine.many.figures(input),
    'jobs.moveMany': (input) => engine.many.move(input),
    'jobs.cancelMany': (input) => engine.many.cancel(input),
    'jobs.retryMany': (input) => engine.many.retry(input),
    'jobs.edit': (input) => engine.commands.edit(input),
    'jobs.confirmPrice': (input) => engine.many.confirmPrice(input),
    'queue.pause': (input) => setPaused(true, input),
    'queue.resume': (input) => setPaused(false, input),
    'queue.status': () => ok(engine.status()),
  };
}

const noSuchLane = fail('invalid_input', 'lane.kind: there is no such lane.', { field: 'lane.kind' });

function batchHandlers({ batches }: Modules): Part<'batch' | 'prompts'> {
  return {
    'prompts.expand': ({ text }) => {
      const prompts = expandPrompt(text);
      return prompts.ok ? ok({ prompts: prompts.data }) : prompts;
    },
    'batch.read': (input) => batches.read(input),
    'batch.rows': (input) => batches.rows(input),
    'batch.made': (input) => batches.made(input),
    'batch.enqueue': (input) => batches.enqueue(input),
  };
}

function nightHandlers({ night, batches }: Modules): Part<'night'> {
  return {
    'night.get': () => ok(night.get()),
    'night.plan': (plan) => night.plan(plan),
    'night.dryRun': ({ plan, added }) => {
      const jobs = added ? addedJobs(added, batches) : ok([]);
      return jobs.ok ? night.dryRun(plan, jobs.data) : jobs;
    },
    'night.plans': () => ok({ plans: night.plans.list() }),
    'night.savePlan': (input) => night.plans.save(input),
    'night.removePlan': ({ id }) => night.plans.remove(id),
    'night.stop': ({ runId }) => night.stop(runId),
    'night.assign': (input) => night.assign(input),
    'night.report': ({ runId, date }) => night.report(runId, date),
  };
}

function addedJobs(added: AddedToNight, batches: Batches): Result<AddedJob[]> {
  if ('readId' in added) return batches.jobsOf(added);
  const { title, shown, play } = added;
  const { estimateNano: nano, lowNano, unpriced } = shown;
  return ok([{ title, nano, lowNano, unpriced: unpriced > 0, play, projectId: null }]);
}

function triageHandlers({ triage }: Modules): Part<'triage'> {
  return {
    'triage.list': (input) => triage.list(input),
    'triage.setLimits': (input) => triage.setLimits(input),
  };
}

function chatHandlers({ store, chat, chatFiles, storyboard }: Modules): Part<'chat'> {
  return {
    'chat.create': (input) => unknownProject(storyboard.projects().projects, input) ?? ok(chat.create(input)),
    'chat.send': (input) => chat.send(input),
    'chat.stop': (input) => chat.stop(input),
    'chat.edit': (input) => chat.edit(input),
    'chat.regenerate': (input) => chat.regenerate(input),
    'chat.continue': (input) => chat.continue(input),
    'chat.branch': (input) => chat.branch(input),
    'chat.activate': (input) => chat.activate(input),
    'chat.branches': (input) => chat.branches(input),
    'chat.set': (input) => chat.set(input),
    'chat.get': (input) => chat.get(input),
    'chat.list': async (filter) => ok(await awayIf(walksMany(filter), store, (db) => chat.list(filter, db))),
    'chat.remove': ({ conversationId }) => chat.remove(conversationId),
    'chat.export': (input) => chatFiles.export(input),
    'chat.import': (input) => unknownProject(storyboard.projects().projects, input) ?? chatFiles.import(input),
  };
}

function boardHandlers({ storyboard, sample, profiles, bus }: Modules): Part<'projects' | 'storyboard' | 'board'> {
  return {
    'projects.list': () => ok(storyboard.projects()),
    'projects.create': ({ name }) => ok(storyboard.createProject(name)),
    'projects.openSample': () => sample.open(),
    'projects.duplicate': ({ id, name }) => storyboard.duplicateProject(id, name),
    'projects.rename': ({ id, name }) => storyboard.renameProject(id, name),
    'projects.remove': ({ id }) => {
      const removed = storyboard.removeProject(id);
      // Otherwise new work would go to a project that nobody sees.
      if (removed.ok && profiles.getSettings().projectId === id) {
        profiles.patchSettings({ projectId: '' });
        bus.emit({ type: 'settings.changed' });
      }
      return removed;
    },
    'projects.restore': ({ id }) => storyboard.restoreProject(id),
    'storyboard.makeTakes': (input) => storyboard.makeTakes(input),
    'storyboard.get': ({ projectId }) => storyboard.get(projectId),
    'storyboard.save': (board) => storyboard.save(board),
    'storyboard.makeTake': (input) => storyboard.makeTake(input),
    'storyboard.promoteTake': (input) => storyboard.promoteTake(input),
    'board.undo': ({ projectId }) => storyboard.step(projectId, 'undo'),
    'board.redo': ({ projectId }) => storyboard.step(projectId, 'redo'),
    'board.steps': ({ projectId }) => storyboard.steps(projectId),
    'board.bin': ({ projectId }) => {
      const removed = storyboard.removed(projectId);
      return removed.ok ? ok({ shots: removed.data }) : removed;
    },
    'board.restore': ({ projectId, shotId }) => storyboard.restore(projectId, shotId),
  };
}

function filmHandlers({ film, storyboard }: Modules): Part<'film'> {
  return {
    'film.readShots': ({ projectId, text, format }) => storyboard.readShots(projectId, text, format),
    'film.addShots': ({ projectId, shots, ...place }) => storyboard.addShots(projectId, shots, place),
    'film.preflight': ({ projectId }) => film.preflight(projectId),
    'film.export': (input) => film.export(input),
  };
}

const awayIf = <T>(isMany: boolean, store: Store, read: (db?: ReadDb) => T) => (isMany ? store.readAway(read) : read());

function libraryHandlers({ store, library, verifier, movies, engine }: Modules): Part<'library' | 'media'> {
  return {
    'library.list': async (filter) =>
      ok(await awayIf(walksManyAssets(filter), store, (db) => library.list(filter, db))),
    'library.facets': async (filter) => ok(await store.readAway((db) => library.facets(filter, db))),
    'library.chosen': async (chosen) => ok(await store.readAway((db) => library.chosen(chosen, db))),
    'library.judge': ({ ids, verdict }) => engine.commands.setVerdicts(library.jobsOf(ids), verdict),
    'library.get': ({ id }) => library.get(id),
    'library.ancestry': ({ id }) => {
      const ancestry = engine.queries.ancestry(id);
      return ancestry ? ok(ancestry) : fail('not_found', 'id: there is no such asset.', { field: 'id' });
    },
    'library.gone': async ({ ids }) => ok({ ids: await engine.commands.gone(ids) }),
    'library.import': ({ path }) => library.importFile(path),
    'library.download': async ({ id }) => {
      const asked = await library.download(id, verifier.isDamaged(id));
      if (asked.ok && asked.data.state === 'remote') verifier.fetchesAgain(id);
      return asked;
    },
    'library.stats': async () => ok(await store.readAway((db) => library.stats(db))),
    'media.claimFilm': async () => ok({ task: await movies.claim() }),
    'media.beat': ({ taskId, progress }) => movies.beat(taskId, progress),
    'media.finishFilm': ({ taskId, report, error }) => movies.finish(taskId, report, error),
    'media.encoderSpeed': ({ pixelsPerSecond }) => {
      movies.encoderSpeed = pixelsPerSecond;
      return ok(null);
    },
    'media.release': ({ taskIds, died = false }) => {
      for (const id of taskIds) {
        movies.release(id, died);
        library.mediaWork.release(id, died);
      }
      return ok(null);
    },
    'media.claim': () => ok({ task: library.mediaWork.claim() }),
    'media.measures': ({ sha256s }) => ok({ files: library.measures(sha256s) }),
    'media.finish': ({ taskId, ...outcome }) => library.mediaWork.finish(taskId, outcome),
  };
}
