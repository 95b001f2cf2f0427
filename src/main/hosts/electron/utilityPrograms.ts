import { utilityProcess } from 'electron';
import { bareEnvironment, type StartProgram } from '../../core/programs/index.ts';

/**
 * Starts programs as Electron's own utility processes: a packaged Dailies cannot be started as a plain Node (its fuse is off), by us no
 * more than by anyone else. The app must be ready.
 */
export const startInUtility: StartProgram = (file, { maxHeapMb, heard, ended }) => {
  const child = utilityProcess.fork(file, [], {
    // Of Node's own flags Electron takes a few only; V8's come this way.
    execArgv: maxHeapMb === undefined ? [] : [`--js-flags=--max-old-space-size=${maxHeapMb}`],
    // An empty environment would be taken for none given, and ours passed on.
    env: { ...bareEnvironment(), DAILIES_PROGRAM: 'files' },
    stdio: 'ignore',
    serviceName: 'Dailies files',
  });
  let isOver = false;
  const kill = (): void => {
    // It has no id before it runs; one that comes up after all is ended then.
    if (child.pid === undefined) over('no start');
    else killed(child.pid);
  };
  const over = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    process.off('exit', kill);
    ended(reason);
  };
  process.on('exit', kill);
  child.on('spawn', () => {
    if (isOver) kill();
  });
  child.on('message', (message) => {
    if (!isOver) heard(message);
  });
  // V8 has given up, such as out of memory: the end follows.
  child.on('error', () => {});
  child.on('exit', (code) => over(String(code)));
  return {
    send: (message) => child.postMessage(message),
    // It keeps no program alive.
    setBusy() {},
    end: kill,
    kill,
  };
};

/** Electron's `kill` sends SIGTERM, which one that reads a file does not hear. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
