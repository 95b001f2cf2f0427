import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { recordingLog } from '../../../../test/helpers/testPorts.ts';

const { windows } = vi.hoisted(() => ({ windows: [] as InstanceType<typeof EventEmitter>[] }));
vi.mock('electron', () => ({
  app: new EventEmitter(),
  BrowserWindow: class extends EventEmitter {
    readonly webContents = Object.assign(new EventEmitter(), {
      reload: () => this.done.push('reload'),
      forcefullyCrashRenderer: () => this.done.push('crash'),
    });
    readonly done: string[] = [];
    constructor() {
      super();
      windows.push(this);
    }
    loadURL = async () => undefined;
    getNormalBounds = () => ({ x: 1, y: 2, width: 3, height: 4 });
    isMaximized = () => false;
    isMinimized = () => false;
    isDestroyed = () => !windows.includes(this);
    show(): void {}
    focus(): void {}
    destroy = () => this.close();
    close(): void {
      let isPrevented = false;
      this.emit('close', { preventDefault: () => (isPrevented = true) });
      if (isPrevented) return;
      windows.splice(windows.indexOf(this), 1);
      this.emit('closed');
    }
  },
}));
const { manageMainWindow } = await import('./windows.ts');
const { openSettings } = await import('../common/settings.ts');

const hooks = () => ({
  closing: vi.fn(),
  opened: vi.fn(),
  pageLeft: vi.fn(),
  sessionEnds: vi.fn(),
  crashesOn: vi.fn(),
  hangs: vi.fn(),
});

test('a settings file that can be neither read nor written keeps no window from opening and closing', async () => {
  const fails = () => {
    throw new Error('ENOSPC: no space left on device');
  };
  const log = recordingLog();
  const { convenient } = openSettings(
    '/no such folder',
    () => ({ get: fails, set: fails, delete: fails }),
    () => 0,
    log,
  );
  const window = manageMainWindow({ file: convenient, startsHidden: true, checksSpelling: () => false }, log, hooks());
  window.show();
  expect(windows).toHaveLength(1);
  await window.end();
  expect(windows).toEqual([]);
  expect(log.lines).toEqual([
    'the settings file could not be read or written',
    'the settings file could not be read or written',
  ]);
});

const NO_FILE = { get: () => undefined, set: () => undefined, delete: () => undefined };

test('a page that hangs is loaded again in another process, and the question ends once it answers', async () => {
  const told = hooks();
  const file = { file: NO_FILE, startsHidden: false, checksSpelling: () => false };
  const window = manageMainWindow(file, recordingLog(), told);
  const shown = windows[0] as EventEmitter & { done: string[]; webContents: EventEmitter };
  shown.emit('unresponsive');
  shown.emit('unresponsive');
  const [load, over] = told.hangs.mock.calls[1] as [() => void, AbortSignal];
  expect(over.aborted).toBe(false);
  shown.emit('responsive');
  expect(over.aborted).toBe(true);
  load();
  expect(shown.done).toEqual(['crash']);
  shown.webContents.emit('render-process-gone', {}, { reason: 'killed' });
  expect(shown.done).toEqual(['crash', 'reload']);
  expect(told.pageLeft).toHaveBeenCalledOnce();
  await window.end();
});
