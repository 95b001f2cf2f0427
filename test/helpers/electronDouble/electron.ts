/**
 * The parts of the `electron` module that Dailies uses, on a plain Chromium. What Electron enforces itself (sandbox, permission prompts,
 * custom schemes) is not imitated: those tests check the handlers, and run in full where a real binary is found.
 */
import { app } from './app.ts';
import { shell } from './system.ts';
import { ipcMain } from './windows.ts';

export { app } from './app.ts';
export { double } from './record.ts';
export { schemes } from './schemes.ts';
export { protocol, session } from './session.ts';
export {
  clipboard,
  crashReporter,
  dialog,
  Menu,
  Notification,
  nativeImage,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  shell,
  Tray,
} from './system.ts';
export { utilityProcess } from './utilityProcess.ts';
export { BrowserWindow, ipcMain } from './windows.ts';

// biome-ignore lint/style/noDefaultExport: electron-store imports electron by its default export.
export default { app, ipcMain, shell };
