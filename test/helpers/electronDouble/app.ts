import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { double, played } from './record.ts';

/** The parts of `app` that Dailies uses: start, closed windows, quitting (electron: lib/browser/init.ts, shell/browser/browser.cc). */

/** The windows that the app closes when it quits; they register themselves. */
export interface Closable {
  close(): void;
  destroy(): void;
}

type Phase = 'starting' | 'ready' | 'gone';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const reallyExit = process.exit.bind(process);

/** Emits an event that listeners may prevent; true if one did. */
export function emitPreventable(on: EventEmitter, name: string, fields: object, ...more: unknown[]): boolean {
  let prevented = false;
  const event = {
    ...fields,
    preventDefault: () => {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
  on.emit(name, event, ...more);
  return prevented;
}

class App extends EventEmitter {
  readonly windows = new Set<Closable>();
  name = 'Electron';
  private phase: Phase = 'starting';
  private isQuitting = false;
  private isExiting = false;
  private exitCode = 0;
  private readonly ready = Promise.withResolvers<void>();
  private readonly paths: Record<string, string> = {
    appData: join(tmpdir(), 'electron-double'),
    downloads: join(tmpdir(), 'electron-double'),
  };

  readonly setAppUserModelId =
    played('PLATFORM') === 'win32' ? (id: string) => double.tell('setAppUserModelId', id) : undefined;

  readonly setToastActivatorCLSID =
    played('PLATFORM') === 'win32' ? (id: string) => double.tell('setToastActivatorCLSID', id) : undefined;

  /** `DOUBLE_RESOURCES` is the folder of an installed program. */
  readonly isPackaged = played('RESOURCES') !== undefined;

  readonly dock = played('PLATFORM') === 'darwin' ? { setMenu: (menu: unknown) => void menu } : undefined;

  disableHardwareAcceleration(): void {
    this.onlyBefore('app.disableHardwareAcceleration()');
    double.tell('disableHardwareAcceleration');
  }

  private login = false;

  /** Linux stores no login item (electron: shell/browser/browser_linux.cc). */
  getLoginItemSettings = (): object => ({ openAtLogin: played('PLATFORM') !== undefined && this.login });
  setLoginItemSettings = ({ openAtLogin }: { openAtLogin: boolean }): void => {
    this.login = openAtLogin;
    double.tell('setLoginItemSettings', openAtLogin);
  };

  addRecentDocument = (path: string): void => double.tell('addRecentDocument', path);

  setBadgeCount(count = 0): boolean {
    double.tell('setBadgeCount', count);
    return true;
  }

  setName(name: string): void {
    this.name = name;
  }

  getName = (): string => this.name;
  getVersion = (): string => '0.0.0';
  getPreferredSystemLanguages = (): string[] => ['en-US'];

  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!existsSync(path)) throw new Error('Failed to set path');
    this.paths[name] = path;
    double.tell('setPath', name, path);
  }

  getPath(name: string): string {
    return this.paths[name] ?? join(this.paths.appData ?? '', this.name);
  }

  isReady = (): boolean => this.phase !== 'starting';
  whenReady = (): Promise<void> => this.ready.promise;

  enableSandbox(): void {
    this.onlyBefore('app.enableSandbox()');
    double.tell('enableSandbox');
  }

  onlyBefore(what: string): void {
    if (this.isReady()) throw new Error(`${what} can only be called before app is ready`);
  }

  onlyAfter(what: string): void {
    if (!this.isReady()) throw new Error(`${what} can only be used after app is ready`);
  }

  /** The first program with a `userData` folder gets it, and is notified of the others once it is ready. */
  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    mkdirSync(folder, { recursive: true });
    const lock = join(folder, 'DoubleLock');
    const call = join(folder, 'DoubleCall');
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (holder > 0 && holder !== process.pid && isAlive(holder)) {
      writeFileSync(call, JSON.stringify(process.argv));
      process.kill(holder, 'SIGUSR2');
      return false;
    }
    writeFileSync(lock, String(process.pid));
    process.on('SIGUSR2', () => {
      const argv = JSON.parse(readFileSync(call, 'utf8')) as string[];
      void this.ready.promise.then(() => this.emit('second-instance', {}, argv, process.cwd(), {}));
    });
    return true;
  }

  /** Called when the entry's import has succeeded or failed: Electron starts Chromium only then. */
  entrySettled(): void {
    if (this.phase !== 'starting') return;
    this.takeSignals();
    setImmediate(() => {
      this.emit('will-finish-launching');
      this.phase = 'ready';
      this.ready.resolve();
      this.emit('ready', {}, {});
    });
  }

  quit(): void {
    if (this.isQuitting) return;
    this.isQuitting = !emitPreventable(this, 'before-quit', {});
    if (!this.isQuitting) return;
    if (this.windows.size === 0) this.willQuit();
    else for (const window of [...this.windows]) window.close();
  }

  /** Before the message loop runs, the process exits at once. Later the windows are destroyed without asking, and the call returns. */
  exit(code = 0): void {
    double.tell('exit', code);
    if (this.phase === 'starting') reallyExit(code);
    this.exitCode = code;
    this.isQuitting = true;
    this.isExiting = true;
    if (this.windows.size === 0) this.shutDown();
    else for (const window of [...this.windows]) window.destroy();
  }

  /** A window refused to close. */
  closeCanceled(): void {
    this.isQuitting = false;
  }

  windowGone(window: Closable): void {
    if (!this.windows.delete(window) || this.windows.size > 0) return;
    if (this.isExiting) this.shutDown();
    else if (this.isQuitting) this.willQuit();
    else this.emit('window-all-closed');
  }

  private willQuit(): void {
    if (emitPreventable(this, 'will-quit', {})) this.isQuitting = false;
    else this.shutDown();
  }

  private shutDown(): void {
    if (this.phase === 'gone') return;
    this.phase = 'gone';
    this.emit('quit', {}, this.exitCode);
    setImmediate(() => reallyExit(this.exitCode));
  }

  /**
   * Chromium's own handlers replace Node's on POSIX: the first signal quits, the next of its kind kills. Node installs its handler with
   * the first listener of a signal and removes it with the last. So listeners from before this moment get nothing, and neither do later
   * ones, until all of them have been removed.
   */
  private takeSignals(): void {
    for (const signal of SIGNALS) {
      const listeners = process.listeners(signal) as (() => void)[];
      process.removeAllListeners(signal);
      for (const listener of listeners) heard.on(signal, listener);
      addListener.call(process, signal, () => {
        const who = owners.get(signal) ?? 'electron';
        if (who === 'node') return void heard.emit(signal, signal);
        if (who === 'nobody') return reallyExit(1);
        owners.set(signal, 'nobody');
        this.quit();
      });
    }
    const ours = (name: string | symbol): name is (typeof SIGNALS)[number] => SIGNALS.some((signal) => signal === name);
    for (const add of ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'] as const) {
      const real = process[add].bind(process) as (name: string, listener: () => void) => NodeJS.Process;
      process[add] = ((name: string, listener: () => void) => {
        if (!ours(name)) return real(name, listener);
        if (heard.listenerCount(name) === 0) owners.set(name, 'node');
        heard[add](name, listener);
        return process;
      }) as never;
    }
    for (const take of ['off', 'removeListener', 'removeAllListeners'] as const) {
      const real = process[take].bind(process) as (name: string, listener?: () => void) => NodeJS.Process;
      process[take] = ((name: string, listener?: () => void) => {
        if (!ours(name)) return real(name, listener);
        if (take === 'removeAllListeners' || !listener) heard.removeAllListeners(name);
        else heard.off(name, listener);
        if (heard.listenerCount(name) === 0) owners.set(name, 'nobody');
        return process;
      }) as never;
    }
  }
}

/** Node's listeners for signals, and the handler that the system calls. */
const heard = new EventEmitter();
const owners = new Map<string, 'electron' | 'node' | 'nobody'>();
const addListener = process.addListener as (name: string, listener: () => void) => NodeJS.Process;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const app = new App();

app.on('quit', (_: unknown, code: number) => process.emit('exit', code));
app.on('window-all-closed', () => {
  if (app.listenerCount('window-all-closed') === 1) app.quit();
});
