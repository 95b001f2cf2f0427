import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';
import { type Cdp, connectCdp } from './cdp.ts';
import { DoublePage, type Frame, type Message } from './page.ts';
import { Schemes } from './schemes.ts';

/**
 * The parts of the `electron` module that Dailies uses, on a plain Chromium. What Electron itself enforces (its sandbox, its
 * permission prompts, its own schemes) is not copied: tests of that ask for the handlers and run where a real binary is found.
 */

const endpoint = process.env.DOUBLE_CDP;
if (endpoint === undefined) throw new Error('DOUBLE_CDP must be the address of a running Chromium.');
const cdp: Cdp = await connectCdp(endpoint);
await cdp.send('Target.setDiscoverTargets', { discover: true });
const schemes = await Schemes.open(4);

/** For tests: the schemes and what was asked of the system. */
export const double = { schemes, opened: [] as string[], menu: undefined as unknown };

class App extends EventEmitter {
  private readonly paths: Record<string, string> = {};

  setPath(name: string, path: string): void {
    this.paths[name] = path;
  }

  getPath(name: string): string {
    return this.paths[name] ?? '';
  }

  getVersion = (): string => '0.0.0';
  isReady = (): boolean => true;
  requestSingleInstanceLock = (): boolean => true;
  enableSandbox(): void {}
  whenReady = (): Promise<void> => Promise.resolve();

  exit(code = 0): void {
    process.exit(code);
  }

  quit(): void {
    if (!emitPreventable(this, 'before-quit', {})) this.exit(0);
  }
}

/** Emits an event that listeners may prevent; true where one did. */
function emitPreventable(on: EventEmitter, name: string, fields: object): boolean {
  let prevented = false;
  on.emit(name, {
    ...fields,
    preventDefault: () => {
      prevented = true;
    },
  });
  return prevented;
}

export const app = new App();

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();

  handle(channel: string, handler: (event: object, ...args: unknown[]) => unknown): void {
    this.handlers.set(channel, handler);
  }
}

export const ipcMain = new IpcMain();

class WebContents extends EventEmitter {
  page: DoublePage | undefined;
  destroyed = false;
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  private shown: Frame = { id: '', url: '' };

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }

  get mainFrame(): Frame {
    const frame = this.page?.mainFrame ?? { id: '', url: '' };
    if (frame.id !== this.shown.id || schemes.toScheme(frame.url) !== this.shown.url) {
      this.shown = { id: frame.id, url: schemes.toScheme(frame.url) };
    }
    return this.shown;
  }

  getURL = (): string => this.mainFrame.url;
  isDestroyed = (): boolean => this.destroyed;
  send = (channel: string, value: unknown): void => this.page?.emit(channel, value);
  reload = (): void => void this.page?.reload();

  async receive({ frame, channel, args, reply }: Message): Promise<void> {
    const handler = ipcMain.handlers.get(channel);
    if (!handler) return reply(`No handler registered for '${channel}'`);
    const isMain = frame.id === this.page?.mainFrame.id;
    const senderFrame = isMain ? this.mainFrame : { id: frame.id, url: schemes.toScheme(frame.url) };
    try {
      reply(null, await handler({ sender: this, senderFrame }, ...args));
    } catch (error) {
      reply(String(error));
    }
  }
}

const windows = new Set<BrowserWindow>();

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents();
  readonly options: BrowserWindowConstructorOptions;
  private readonly opening: Promise<DoublePage>;
  private loaded = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    windows.add(this);
    const { webContents } = this;
    app.emit('web-contents-created', {}, webContents);
    const preload = readFileSync(options.webPreferences?.preload ?? '', 'utf8');
    this.opening = DoublePage.open(cdp, preload, {
      message: (message) => void webContents.receive(message),
      mayNavigate: ({ url, isMainFrame }) =>
        !emitPreventable(webContents, isMainFrame ? 'will-navigate' : 'will-frame-navigate', {
          url: schemes.toScheme(url),
        }),
      mayOpen: () => webContents.openHandler({ url: '' }).action === 'allow',
      crashed: () => webContents.emit('render-process-gone', {}, { reason: 'crashed' }),
      closed: () => this.gone(),
    });
  }

  static getAllWindows = (): BrowserWindow[] => [...windows];

  async loadURL(url: string): Promise<void> {
    const page = await this.opening;
    this.webContents.page = page;
    await page.load(schemes.toLoopback(url));
    if (!this.loaded) this.emit('ready-to-show');
    this.loaded = true;
  }

  isDestroyed = (): boolean => this.webContents.destroyed;
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  getNormalBounds = () => ({ x: 10, y: 20, width: 1_360, height: 860 });
  show(): void {}
  focus(): void {}
  restore(): void {}
  maximize(): void {}

  close(): void {
    this.emit('close', {});
    this.destroy();
  }

  destroy(): void {
    void this.opening.then((page) => page.close());
    this.gone();
  }

  private gone(): void {
    if (!windows.delete(this)) return;
    this.webContents.destroyed = true;
    this.emit('closed');
    if (windows.size === 0) app.emit('window-all-closed');
  }
}

export const protocol = {
  registerSchemesAsPrivileged(): void {},
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) =>
    schemes.handle(scheme, handler),
};

type RequestHandler = (contents: WebContents, permission: string, answer: (allowed: boolean) => void) => void;
type CheckHandler = (contents: WebContents | null, permission: string, origin: string) => boolean;

class Session {
  permissionRequest: RequestHandler | undefined;
  permissionCheck: CheckHandler | undefined;

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.permissionCheck = handler;
  }

  setDevicePermissionHandler(): void {}
  resolveProxy = async (): Promise<string> => 'DIRECT';
}

export const session = { defaultSession: new Session() };

/** `DOUBLE_KEYRING` names the backend that Linux would have chosen. */
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => process.env.DOUBLE_KEYRING ?? 'basic_text',
  encryptStringAsync: async (text: string) => Buffer.from(`sealed:${[...text].reverse().join('')}`),
  decryptStringAsync: async (cipher: Buffer) => ({
    result: [...cipher.toString().slice('sealed:'.length)].reverse().join(''),
    shouldReEncrypt: false,
  }),
};

export const shell = { openExternal: async (url: string) => void double.opened.push(url) };

export const screen = {
  getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1_920, height: 1_080 } }),
};

export const Menu = {
  buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
  setApplicationMenu(menu: unknown): void {
    double.menu = menu;
  },
};

export class Notification extends EventEmitter {
  static isSupported = (): boolean => false;
  show(): void {}
}

// biome-ignore lint/style/noDefaultExport: electron-store imports electron by its default export.
export default { app, ipcMain, shell };
