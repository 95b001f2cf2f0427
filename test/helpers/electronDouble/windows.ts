import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { app, type Closable, emitPreventable } from './app.ts';
import { cdp } from './chromium.ts';
import { DoublePage, type Frame, type Message } from './page.ts';
import { double, played } from './record.ts';
import { type Schemes, schemes } from './schemes.ts';
import { clones } from './worlds.ts';

/** `BrowserWindow`, `webContents` and `ipcMain` on a page of a plain Chromium. */

class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();

  handle(channel: string, handler: (event: object, ...args: unknown[]) => unknown): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, handler);
  }
}

export const ipcMain = new IpcMain();
// Electron has a listener too, so that an error on a channel does not throw.
ipcMain.on('error', () => {});

/** Dailies' own rule: no message between processes is larger. */
const MAX_MESSAGE_BYTES = 256 * 1024;

function packed(channel: string, value: unknown): unknown {
  const bytes = serialize(structuredClone(value)).byteLength;
  if (bytes > MAX_MESSAGE_BYTES) throw new Error(`${bytes} bytes on ${channel}: more than 256 KB`);
  return clones.pack(value);
}

type OwnSession = EventEmitter & { schemes: Schemes };

class WebContents extends EventEmitter {
  readonly session: OwnSession | undefined;
  page: DoublePage | undefined;
  destroyed = false;
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  private shown: Frame = { id: '', url: '' };

  constructor(own: OwnSession | undefined) {
    super();
    this.session = own;
  }

  get schemes(): Schemes {
    return this.session?.schemes ?? schemes;
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }

  get mainFrame(): Frame {
    const frame = this.page?.mainFrame ?? { id: '', url: '' };
    if (frame.id !== this.shown.id || this.schemes.toScheme(frame.url) !== this.shown.url) {
      this.shown = { id: frame.id, url: this.schemes.toScheme(frame.url) };
    }
    return this.shown;
  }

  getURL = (): string => this.mainFrame.url;
  isDestroyed = (): boolean => this.destroyed;
  send = (channel: string, value: unknown): void => this.page?.emit(channel, packed(channel, value));
  forcefullyCrashRenderer = (): void => this.page?.crash();

  replaceMisspelling = (word: string): void => double.tell('replaceMisspelling', word);
  /** Like Electron, throws if the icon is empty or the file does not exist. */
  startDrag({ file, icon }: { file: string; icon: string }): void {
    if (![file, icon].every((path) => existsSync(path))) throw new Error('Must specify non-empty file and icon.');
    double.tell('startDrag', file);
  }

  copyImageAt = (x: number, y: number): void => double.tell('copyImageAt', x, y);
  /** Begins a download as if the page had a link to it. */
  downloadURL = (url: string): void => this.page?.download(this.schemes.toLoopback(url));

  reload(): void {
    double.tell('reload');
    void this.page?.reload();
  }

  async receive({ frame, channel, args, reply }: Message): Promise<void> {
    if (this.destroyed) return;
    const handler = ipcMain.handlers.get(channel);
    if (!handler) return reply(`No handler registered for '${channel}'`);
    const isMain = frame.id === this.page?.mainFrame.id;
    const senderFrame = isMain ? this.mainFrame : { id: frame.id, url: this.schemes.toScheme(frame.url) };
    try {
      const given = clones.unpack(args) as unknown[];
      reply(null, packed(channel, await handler({ sender: this, senderFrame }, ...given)));
    } catch (error) {
      reply(String(error));
    }
  }
}

export class BrowserWindow extends EventEmitter implements Closable {
  readonly webContents: WebContents;
  readonly options: BrowserWindowConstructorOptions;
  private readonly opening: Promise<DoublePage>;
  private bounds: Rectangle;
  private loaded = false;
  private shown: boolean;
  private minimized = false;
  private maximized = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    this.options = options;
    this.webContents = new WebContents(options.webPreferences?.session as OwnSession | undefined);
    const { x = 10, y = 20, width = 800, height = 600, show = true } = options;
    this.bounds = { x, y, width, height };
    this.shown = show;
    app.windows.add(this);
    if (played('FAULT') === 'on-window') {
      queueMicrotask(() => {
        throw new Error('a bug');
      });
    }
    const { webContents } = this;
    app.emit('web-contents-created', {}, webContents);
    const preload = readFileSync(options.webPreferences?.preload ?? '', 'utf8');
    const stays = (name: string, url: string) =>
      emitPreventable(webContents, name, { url: webContents.schemes.toScheme(url) });
    this.opening = DoublePage.open(cdp, preload, {
      message: (message) => void webContents.receive(message),
      mayNavigate: ({ url, isMainFrame, isRedirect }) =>
        !stays(isRedirect ? 'will-redirect' : isMainFrame ? 'will-navigate' : 'will-frame-navigate', url),
      mayOpen: (url) => webContents.openHandler({ url }).action === 'allow',
      crashed: () => webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 }),
      closed: () => this.gone(),
    });
  }

  static getAllWindows = (): BrowserWindow[] => [...app.windows] as BrowserWindow[];

  async loadURL(url: string): Promise<void> {
    const page = await this.opening;
    this.webContents.page = page;
    await page.load(this.webContents.schemes.toLoopback(url));
    if (!this.loaded) this.emit('ready-to-show');
    this.loaded = true;
  }

  isDestroyed = (): boolean => this.webContents.destroyed;
  isVisible = (): boolean => this.shown;
  isMinimized = (): boolean => this.minimized;
  isMaximized = (): boolean => this.maximized;
  getNormalBounds = (): Rectangle => ({ ...this.bounds });

  setBounds(bounds: Rectangle): void {
    this.bounds = { ...bounds };
  }

  show(): void {
    this.shown = true;
    double.tell('window.show');
  }

  hide(): void {
    this.shown = false;
  }

  focus(): void {
    double.tell('window.focus');
  }

  setProgressBar = (progress: number, options?: object): void => double.tell('setProgressBar', progress, options);
  setOverlayIcon = (image: unknown, description: string): void => double.tell('setOverlayIcon', image, description);

  minimize(): void {
    this.minimized = true;
  }

  restore(): void {
    this.minimized = false;
  }

  maximize(): void {
    this.maximized = true;
  }

  /** Like a click on the close button. A closed page is notified, a destroyed one is not. */
  close(): void {
    if (emitPreventable(this, 'close', {})) return app.closeCanceled();
    const gone = () => this.destroy();
    void this.opening.then((page) => page.unload()).then(gone, gone);
  }

  destroy(): void {
    void this.opening.then((page) => page.close()).catch(() => {});
    this.gone();
  }

  private gone(): void {
    if (this.webContents.destroyed) return;
    this.webContents.destroyed = true;
    this.emit('closed');
    app.windowGone(this);
  }
}
