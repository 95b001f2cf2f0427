import { EventEmitter } from 'node:events';
import type { MenuItemConstructorOptions, MessageBoxOptions, OpenDialogOptions } from 'electron';
import { app } from './app.ts';
import { double, played } from './record.ts';

/** The operating system: dialogs, tray, notifications, keychain, power. Records every call and can play the user's part. */

export const dialog = {
  /** Before `ready`, Linux shows no window: the text goes to stderr. */
  showErrorBox(title: string, content: string): void {
    const isShown = app.isReady() || process.platform !== 'linux';
    double.tell('showErrorBox', title, content, { isShown });
    if (!isShown) process.stderr.write(`${title}\n${content}\n`);
  },
  showMessageBox(...given: [object, MessageBoxOptions] | [MessageBoxOptions]) {
    app.onlyAfter('dialog module');
    const options = given.at(-1) as MessageBoxOptions;
    const { message, detail, buttons } = options;
    const { promise, resolve } = Promise.withResolvers<{ response: number; checkboxChecked: boolean }>();
    double.boxes.push({ options, answer: (response) => resolve({ response, checkboxChecked: false }) });
    double.tell('showMessageBox', { message, detail, buttons });
    return promise;
  },
  /** `DOUBLE_FOLDER` is what the user chooses; without it the dialog is canceled. */
  async showOpenDialog(...given: [object, OpenDialogOptions] | [OpenDialogOptions]) {
    app.onlyAfter('dialog module');
    const folder = played('FOLDER');
    double.tell('showOpenDialog', given.at(-1));
    return { canceled: folder === undefined, filePaths: folder === undefined ? [] : [folder] };
  },
};

const DECRYPTED = /^v1[01]sealed:(.*)$/s;
/** Whether a keychain service answers: by default if the desktop has one. `DOUBLE_SERVICE` overrides it. */
const hasService = (): boolean => (played('SERVICE') ?? (played('KEYRING') === undefined ? 'no' : 'yes')) === 'yes';
const letters = (text: string) => [...text].reverse().join('');

/**
 * `DOUBLE_KEYRING` names the backend that Linux chooses from the desktop alone. Encryption always works; the tag of its output tells who
 * encrypted: `v11` the keychain service, `v10` Chromium's built-in password (components/os_crypt/async). Keys are bound to the app's name.
 */
export const safeStorage = {
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    await app.whenReady();
    return true;
  },
  getSelectedStorageBackend: (): string => (app.isReady() ? (played('KEYRING') ?? 'basic_text') : 'unknown'),
  async encryptStringAsync(text: string): Promise<Buffer> {
    await app.whenReady();
    double.tell('encrypt', app.name);
    return Buffer.from(`${hasService() ? 'v11' : 'v10'}sealed:${app.name}:${letters(text)}`);
  },
  async decryptStringAsync(cipher: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    await app.whenReady();
    const [, sealed = ''] = DECRYPTED.exec(cipher.toString()) ?? [];
    const isClosed = cipher.toString().startsWith('v11') && !hasService();
    if (isClosed || !sealed.startsWith(`${app.name}:`))
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.');
    return { result: letters(sealed.slice(app.name.length + 1)), shouldReEncrypt: false };
  },
};

export const shell = {
  openExternal: async (url: string): Promise<void> => double.tell('openExternal', url),
  showItemInFolder: (path: string): void => double.tell('showItemInFolder', path),
  async openPath(path: string): Promise<string> {
    double.tell('openPath', path);
    return '';
  },
};

const DISPLAY = { workArea: { x: 0, y: 0, width: 1_920, height: 1_080 } };
export const screen = {
  getDisplayMatching() {
    app.onlyAfter("The 'screen' module");
    return DISPLAY;
  },
};

export const Menu = {
  /** Returns the template itself, so that a test can press its items. A menu shown in a window is {@link double.popup}. */
  buildFromTemplate: (template: MenuItemConstructorOptions[]) =>
    Object.assign([...template], {
      popup(): void {
        double.popup = template;
        double.tell(
          'menu.popup',
          template.map(({ label, role, type }) => label ?? role ?? type),
        );
      },
    }),
  setApplicationMenu(menu: unknown): void {
    double.menu = menu;
  },
};

export const clipboard = { writeText: (text: string): void => double.tell('clipboard.writeText', text) };

export const crashReporter = {
  start(options: object): void {
    double.tell('crashReporter.start', options, { isReady: app.isReady(), folder: app.getPath('crashDumps') });
  },
};

export const nativeImage = {
  createFromBitmap: (bitmap: Buffer, size: { width: number; height: number }) => ({ bytes: bitmap.length, ...size }),
};

export class Notification extends EventEmitter {
  static isSupported = (): boolean => true;
  readonly options: { title?: string; body?: string };

  constructor(options: { title?: string; body?: string } = {}) {
    super();
    app.onlyAfter('Notification');
    this.options = options;
  }

  show(): void {
    double.tell('notification', this.options);
  }
}

export class Tray extends EventEmitter {
  menu: MenuItemConstructorOptions[] = [];
  toolTip = '';
  private destroyed = false;

  constructor(image: unknown) {
    super();
    app.onlyAfter('Tray');
    double.trays.push(this);
    double.tell('tray', typeof image === 'string' ? image : 'image');
  }

  setContextMenu(menu: MenuItemConstructorOptions[]): void {
    this.menu = menu;
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  isDestroyed = (): boolean => this.destroyed;

  destroy(): void {
    this.destroyed = true;
    double.tell('tray.destroy');
    double.trays.splice(double.trays.indexOf(this), 1);
  }
}

let nextBlocker = 1;
export const powerSaveBlocker = {
  start(type: string): number {
    app.onlyAfter('powerSaveBlocker');
    double.tell('powerSaveBlocker.start', type);
    double.blockers.add(nextBlocker);
    return nextBlocker++;
  },
  stop(id: number): boolean {
    double.tell('powerSaveBlocker.stop', id);
    return double.blockers.delete(id);
  },
  isStarted: (id: number): boolean => double.blockers.has(id),
};

/** A test triggers its events with `emit`. */
export const powerMonitor = Object.assign(new EventEmitter(), { isOnBatteryPower: () => false });
