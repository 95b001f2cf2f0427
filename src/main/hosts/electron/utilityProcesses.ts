import { utilityProcess } from 'electron';
import { bareEnvironment, type StartProcess } from '../../core/workers/index.ts';

/** Starts processes as Electron's utility processes: a packaged Dailies cannot run as plain Node (its fuse is off). The app must be ready. */
export const startInUtility: StartProcess = (file, { maxHeapMb, heard, ended }) => {
  const child = utilityProcess.fork(file, [], {
    // Electron accepts only a few of Node's flags; V8's go this way.
    execArgv: maxHeapMb === undefined ? [] : [`--js-flags=--max-old-space-size=${maxHeapMb}`],
    // An empty environment would count as none given, and ours be inherited.
    env: { ...bareEnvironment(), DAILIES_PROGRAM: 'files' },
    stdio: 'ignore',
    serviceName: 'Dailies files',
  });
  let isOver = false;
  const kill = (): void => {
    // The process has no id before it runs; if it starts late, it is ended then.
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
  // V8 gave up, as when out of memory: the process ends next.
  child.on('error', () => {});
  child.on('exit', (code) => over(String(code)));
  return {
    send: (message) => child.postMessage(message),
    // A utility process keeps no program alive.
    setBusy() {},
    end: kill,
    kill,
  };
};

/** Electron's `kill` sends SIGTERM, which a process that is reading a file does not handle. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}
