import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { recordingLog } from '../../../../test/helpers/testPorts.ts';

const { windows } = vi.hoisted(() => ({ windows: [] as unknown[] }));
vi.mock('electron', () => ({
  app: new EventEmitter(),
  BrowserWindow: class extends EventEmitter {
    readonly webContents = new EventEmitter();
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

/** Bug: where the settings file could not be written, the window did not close, and a quit left the studio without closing it. */
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
