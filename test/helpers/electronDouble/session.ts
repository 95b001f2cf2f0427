import { EventEmitter } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SaveDialogOptions } from 'electron';
import { app, emitPreventable } from './app.ts';
import { cdp } from './chromium.ts';
import { double } from './record.ts';
import { Schemes, schemes } from './schemes.ts';
import { BrowserWindow } from './windows.ts';

/** `session` and `protocol`: permissions and downloads. */

type RequestHandler = (contents: object, permission: string, answer: (allowed: boolean) => void) => void;
type CheckHandler = (contents: object | null, permission: string, origin: string) => boolean;

class Session extends EventEmitter {
  readonly schemes: Schemes;
  readonly protocol: { handle: Schemes['handle'] };
  permissionRequest: RequestHandler | undefined;
  permissionCheck: CheckHandler | undefined;

  constructor(of: Schemes) {
    super();
    this.schemes = of;
    this.protocol = { handle: (scheme, handler) => of.handle(scheme, handler) };
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.permissionRequest = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.permissionCheck = handler;
  }

  setDevicePermissionHandler(): void {}
  addWordToSpellCheckerDictionary(word: string): boolean {
    double.tell('addWordToSpellCheckerDictionary', word);
    return true;
  }

  resolveProxy = async (): Promise<string> => 'DIRECT';
  forceReloadProxyConfig = async (): Promise<void> => double.tell('forceReloadProxyConfig');
}

const defaultSession = new Session(schemes);
const partitions = new Map<string, Session>();

export const session = {
  get defaultSession(): Session {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready');
    return defaultSession;
  },
  fromPartition(name: string): Session {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready');
    const known = partitions.get(name) ?? new Session(new Schemes());
    partitions.set(name, known);
    return known;
  },
};

export const protocol = {
  registerSchemesAsPrivileged: (): void => app.onlyBefore('protocol.registerSchemesAsPrivileged'),
};

/** Downloads arrive here first. The program then chooses their path, as in Electron. */
const folder = mkdtempSync(join(tmpdir(), 'electron-double-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await cdp.send('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true });

class DownloadItem extends EventEmitter {
  savePath = '';
  private options: SaveDialogOptions = {};
  private readonly url: string;
  private readonly name: string;

  constructor(url: string, name: string) {
    super();
    this.url = url;
    this.name = name;
  }

  getURL = (): string => this.url;
  getFilename = (): string => this.name;
  getSavePath = (): string => this.savePath;
  getSaveDialogOptions = (): SaveDialogOptions => this.options;

  setSavePath(path: string): void {
    this.savePath = path;
  }

  setSaveDialogOptions(options: SaveDialogOptions): void {
    this.options = options;
  }
}

interface Begun {
  guid: string;
  frameId: string;
  url: string;
  suggestedFilename: string;
}

const items = new Map<string, DownloadItem>();

/** If no path was set, the user is asked with the item's options. */
function begin({ guid, frameId, url, suggestedFilename }: Begun): void {
  const [, blob = '', address = url] = /^(blob:)?(.*)$/.exec(url) ?? [];
  const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.mainFrame.id === frameId);
  const owner = window?.webContents.session ?? defaultSession;
  const item = new DownloadItem(blob + owner.schemes.toScheme(address), suggestedFilename);
  const prevented = emitPreventable(owner, 'will-download', {}, item, window?.webContents);
  if (!prevented && item.savePath === '') {
    double.tell('showSaveDialog', { defaultPath: suggestedFilename, ...item.getSaveDialogOptions() });
    item.savePath = double.saveTo ?? '';
  }
  if (!prevented && item.savePath !== '') return void items.set(guid, item);
  void cdp.send('Browser.cancelDownload', { guid }).catch(() => {});
  if (!prevented) item.emit('done', {}, 'cancelled');
}

function go({ guid, state }: { guid: string; state: string }): void {
  const item = items.get(guid);
  if (!item || state === 'inProgress') return;
  items.delete(guid);
  if (state === 'completed') {
    try {
      copyFileSync(join(folder, guid), item.savePath);
      return void item.emit('done', {}, 'completed');
    } catch {
      // Reported as interrupted below.
    }
  }
  item.emit('done', {}, 'interrupted');
}

cdp.on(({ method, params }) => {
  if (method === 'Browser.downloadWillBegin') begin(params as unknown as Begun);
  if (method === 'Browser.downloadProgress') go(params as unknown as { guid: string; state: string });
});
