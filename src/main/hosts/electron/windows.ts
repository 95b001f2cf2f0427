import { join } from 'node:path';
import { app, BrowserWindow, type Rectangle, type Session, screen, session, type WebContents } from 'electron';
import type { Logger } from '../../core/ports.ts';
import { systemClock } from '../common/clock.ts';
import type { MediaWorker } from '../common/mediaWorkerSupervisor.ts';
import type { KeyValueFile } from '../common/settings.ts';
import { APP_ORIGIN } from './origin.ts';
import { createReloadLimit } from './reloadLimit.ts';
import { fitOnScreen } from './windowPlacement.ts';

const FIELD = 'window';
const FIRST_SIZE = { width: 1360, height: 860 };
const SMALLEST = { minWidth: 900, minHeight: 600 };
/** The darkest surface of the theme, so that nothing flashes before the first paint. */
const BACKGROUND = '#111214';
/** The time limit for a page that hangs while closing. */
const MAX_CLOSE_MS = 2_000;

const webPreferences = {
  preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  // Except on macOS its dictionaries come from a Chromium server: only at the user's request.
  spellcheck: false,
};

interface SavedWindow {
  bounds: Rectangle;
  maximized: boolean;
}

/** Opens the main window at its last position, hidden until it has something to show. */
function openMainWindow(file: KeyValueFile, spellcheck: boolean): BrowserWindow {
  const saved = savedWindow(file.get(FIELD));
  const window = new BrowserWindow({
    ...FIRST_SIZE,
    ...saved?.bounds,
    ...SMALLEST,
    show: false,
    title: 'Dailies',
    backgroundColor: BACKGROUND,
    webPreferences: { ...webPreferences, spellcheck },
  });
  if (saved?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${APP_ORIGIN}/index.html`);
  return window;
}

/** Null if nothing was saved, or its screen is gone. */
function savedWindow(value: unknown): SavedWindow | null {
  const { bounds, maximized } = (value ?? {}) as Partial<SavedWindow>;
  if (!bounds || ![bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isFinite)) return null;
  const place = fitOnScreen(bounds, screen.getDisplayMatching(bounds).workArea);
  return place && { bounds: place, maximized: maximized === true };
}

export interface MainWindow {
  show(): void;
  /** Closes it, whatever it shows; resolves once it is gone. Its page is notified first and saves pending changes. */
  close(): Promise<void>;
  /** Closes it for good and keeps its position. */
  end(): Promise<void>;
  current(): BrowserWindow | undefined;
}

export interface WindowHooks {
  /** The user closes the window; it waits for {@link MainWindow.close}. */
  closing(): void;
  opened(window: BrowserWindow): void;
  /** Its page is gone or reloading: it hears nothing until it has painted. */
  pageLeft(): void;
  /** The system ends the session (Windows): there is no time to ask. */
  sessionEnds(): void;
  /** Its page crashes repeatedly; `load` tries once more. */
  crashesOn(load: () => void): void;
  /** Its page does not answer; `load` reloads it. `over`: it answers again, or is gone. */
  hangs(load: () => void, over: AbortSignal): void;
}

export interface WindowOptions {
  /** Stores the position. */
  file: KeyValueFile;
  startsHidden: boolean;
  /** Asked whenever the window opens. */
  checksSpelling(): boolean;
}

/**
 * Manages the main window: opens it now unless it is hidden at first, again when another start or a notification asks, and reloads a crashed
 * page.
 */
export function manageMainWindow(
  { file, startsHidden, checksSpelling }: WindowOptions,
  log: Logger,
  hooks: WindowHooks,
): MainWindow {
  let window: BrowserWindow | undefined;
  let hasEnded = false;
  let closing: BrowserWindow | undefined;
  const mayReload = createReloadLimit(systemClock.now);
  const savePlace = () => {
    if (!window || window.isDestroyed()) return;
    file.set(FIELD, { bounds: window.getNormalBounds(), maximized: window.isMaximized() } satisfies SavedWindow);
  };
  const open = () => {
    const opened = openMainWindow(file, checksSpelling());
    opened.on('close', (event) => {
      if (opened === closing) return;
      event.preventDefault();
      hooks.closing();
    });
    opened.on('session-end', hooks.sessionEnds);
    opened.once('closed', () => {
      window = undefined;
      hooks.pageLeft();
    });
    watchPage(opened, hooks, log, mayReload);
    hooks.opened(opened);
    return opened;
  };
  const show = () => {
    if (hasEnded) return;
    // A closing window cannot be kept open: another is opened when it is gone.
    if (window && window === closing) {
      window.once('closed', show);
      return;
    }
    window ??= open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  const close = async () => {
    if (!window) return;
    savePlace();
    closing = window;
    await closeInTime(window);
  };
  app.on('second-instance', show);
  app.on('activate', show);
  if (!startsHidden) window = open();
  return {
    show,
    close,
    end() {
      hasEnded = true;
      return close();
    },
    current: () => window,
  };
}

/** Reloads a crashed page; one that hangs, if the user says so. */
function watchPage(window: BrowserWindow, hooks: WindowHooks, log: Logger, mayReload: () => boolean): void {
  const { webContents: contents } = window;
  const load = () => {
    if (window.isDestroyed()) return;
    hooks.pageLeft();
    contents.reload();
  };
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) hooks.pageLeft();
  });
  let hang: AbortController | undefined;
  const endHang = () => {
    hang?.abort();
    hang = undefined;
  };
  // A reload alone would wait for the hanging process (electron.d.ts, `forcefullyCrashRenderer`), so that is ended first.
  const replace = () => {
    if (!window.isDestroyed()) contents.forcefullyCrashRenderer();
  };
  contents.on('render-process-gone', (_, { reason }) => {
    endHang();
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error({ reason }, 'the page crashed');
    if (mayReload()) load();
    else hooks.crashesOn(load);
  });
  window.on('unresponsive', () => {
    log.warn({}, 'the page does not answer');
    hang ??= new AbortController();
    hooks.hangs(replace, hang.signal);
  });
  window.on('responsive', endHang);
  window.once('closed', endHang);
}

/** Resolves when it is gone; a page that does not leave in time is destroyed. */
async function closeInTime(window: BrowserWindow): Promise<void> {
  const gone = new Promise<void>((resolve) => window.once('closed', () => resolve()));
  const cancel = systemClock.after(MAX_CLOSE_MS, () => window.destroy());
  // A window that is destroyed does not notify its page.
  window.close();
  await gone;
  cancel();
}

export interface MediaWindow extends MediaWorker {
  contents: WebContents;
}

/** In memory only, and separate from the pages' data. */
export const mediaSession = (): Session => session.fromPartition('media');

/** The media page in a hidden window, in whose sandbox untrusted content is decoded. */
export function openMediaWindow(): MediaWindow {
  const window = new BrowserWindow({
    show: false,
    webPreferences: { ...webPreferences, session: mediaSession(), backgroundThrottling: false },
  });
  const gone = new Promise<void>((resolve) => window.once('closed', resolve));
  window.webContents.once('render-process-gone', () => window.destroy());
  void window.loadURL(`${APP_ORIGIN}/media.html`);
  return {
    contents: window.webContents,
    gone,
    async stop() {
      if (!window.isDestroyed()) window.destroy();
      await gone;
    },
  };
}
