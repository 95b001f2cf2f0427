import type { LoginState, loginCalls } from '../../../shared/contract/appCalls.ts';
import type { AppInfo, Handlers, HandlersOf } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { KEY_UNREADABLE } from '../../../shared/gateway/profile.ts';
import { en } from '../../../shared/text/texts.ts';
import { chatCalls } from '../chat/index.ts';
import { mediaCalls } from '../film/index.ts';
import { atGateways } from '../jobs/index.ts';
import type { Modules } from '../modules.ts';
import { nightCalls } from '../night/index.ts';
import type { Ports } from '../ports.ts';
import { noSuchProfile, tryImageHeaders } from '../profiles/index.ts';
import { searchAll } from '../search/index.ts';
import { databaseFile, listBackups } from '../store/index.ts';
import { boardCalls } from '../storyboard/index.ts';
import { exportHandlers } from './exportCalls.ts';
import { libraryFolderHandlers } from './libraryFolderCalls.ts';
import { moneyHandlers } from './moneyCalls.ts';
import { recoveryHandlers } from './recoveryCalls.ts';

/** The contract's calls, each delegated to its module. A missing one is a compile error. */
export function handlersOf(modules: Modules): Handlers {
  const { store, engine, library } = modules;
  return {
    ...appHandlers(modules),
    ...profileHandlers(modules),
    ...engine.handlers(),
    ...modules.batches.handlers(),
    ...chatCalls(modules),
    ...modules.director.handlers(),
    ...modules.quotes.handlers(),
    ...boardCalls(modules.storyboard),
    ...modules.sample.handlers(),
    ...modules.film.handlers(),
    ...mediaCalls(modules.movies, library),
    ...exportHandlers(modules),
    ...modules.backups.handlers(),
    ...modules.bundles.handlers(),
    ...modules.updates.handlers(),
    ...loginHandlers(modules.ports),
    ...modules.imports.handlers(),
    ...modules.marks.handlers(),
    ...modules.evidence.handlers(),
    ...library.handlers(),
    ...libraryFolderHandlers(modules),
    ...moneyHandlers(modules),
    ...modules.priceCalls.handlers(),
    ...modules.models.handlers(),
    ...modules.statements.handlers(),
    ...nightCalls(modules.night, (added) => modules.batches.addedJobs(added)),
    ...modules.triage.handlers(),
    'diagnostics.read': async () => ok({ text: await modules.diagnostics.read() }),
    'search.all': (input) => ok(store.readTransaction((db) => searchAll(db, input))),
    'webhooks.selfTest': ({ profileId }) => {
      const profile = modules.profiles.get(profileId);
      return profile ? modules.receiver.selfTest(profile) : noSuchProfile;
    },
  };
}

function appHandlers(modules: Modules): HandlersOf<'app' | 'settings' | 'store'> {
  const { ports, options, store, bus, profiles, engine, awake, receiver, backups } = modules;
  let checked = false;
  let damaged = false;
  const checkAndBackUp = async (): Promise<void> => {
    const result = await store.check();
    if (!result) return;
    damaged = !result.ok;
    // A backup of a damaged database must not replace an intact one.
    if (result.ok) await backups.makeDaily();
    bus.emit({ type: 'store.checked', ...result });
  };
  /** The backups that can replace a damaged database. */
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

function profileHandlers(modules: Modules): HandlersOf<'profiles'> {
  const { ports, profiles, engine, bus, events, store } = modules;
  const emitIfOk = <T>(id: string | undefined, result: Result<T>): Result<T> => {
    if (result.ok) {
      bus.emit({ type: 'profiles.changed' });
      if (id !== undefined) events.emit('profile.changed', id);
    }
    return result;
  };
  /** Another profile is active: announces the sums, budgets and unconfirmed costs of its side. */
  const emitSideChange = (): void => {
    bus.emit({ type: 'settings.changed' });
    engine.commands.sumsChanged();
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
      // The test would run without the key and report that there is none.
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

/** Opening at login is a system setting, read each time, since the user can change it there. */
function loginHandlers({ loginItem, log }: Pick<Ports, 'loginItem' | 'log'>): Pick<Handlers, keyof typeof loginCalls> {
  const read = (): LoginState => ({ state: loginItem === undefined ? 'none' : loginItem.isOn() ? 'on' : 'off' });
  const set = (open: boolean): Result<LoginState> => {
    if (!loginItem)
      return fail('wrong_state', en`This copy of Dailies cannot be opened at login. Nothing was changed.`);
    try {
      loginItem.set(open);
    } catch (error) {
      log.warn({ error: String(error) }, 'opening at login could not be set');
    }
    const now = read();
    if (now.state === (open ? 'on' : 'off')) return ok(now);
    return fail(
      'wrong_state',
      en`The system did not take it. Look into its own settings for programs that open at login.`,
    );
  };
  return { 'login.get': () => ok(read()), 'login.set': ({ open }) => set(open) };
}
