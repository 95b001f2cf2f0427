import { fork } from 'node:child_process';

/** Runs the file in another Node process. */
export const startInNode: StartProcess = (file, { maxHeapMb, heard, ended }) => {
  const child = fork(file, {
    execArgv: maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`],
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isOver = false;
  const kill = () => void child.kill('SIGKILL');
  const over = (reason: string, error?: Error): void => {
    if (isOver) return;
    isOver = true;
    process.off('exit', kill);
    kill();
    ended(reason, error);
  };
  // A busy process does not notice that its parent is gone.
  process.on('exit', kill);
  child.on('message', (message) => {
    if (!isOver) heard(message);
  });
  child.on('exit', (code, signal) => over(String(code ?? signal)));
  child.on('error', (error) => over(error.message, error));
  return {
    send: (message) =>
      void child.send(message as object, (error) => {
        if (error) over(error.message, error);
      }),
    setBusy(isBusy) {
      for (const held of [child, child.channel]) isBusy ? held?.ref() : held?.unref();
    },
    end() {
      if (child.connected) child.disconnect();
    },
    kill,
  };
};

/** A separate process that answers messages, such as one that parses untrusted files. */
export interface RunningProcess {
  /** A message that cannot be sent ends it. */
  send(message: unknown): void;
  /** A busy process keeps Dailies running, an idle one does not. */
  setBusy(isBusy: boolean): void;
  end(): void;
  /** At once, whatever it is doing. */
  kill(): void;
}

interface ProcessOptions {
  /** JavaScript heap; a process that needs more ends. */
  maxHeapMb?: number;
  heard(message: unknown): void;
  /** Called once, as the last callback. `error`: it could not be started, or not be sent a message. */
  ended(reason: string, error?: Error): void;
}

/** Runs a file in a process of its own, without the flags and secrets of its parent, and ends it with that. */
export type StartProcess = (file: string, options: ProcessOptions) => RunningProcess;

/** The minimum environment of such a process; Windows needs its system folder. */
export const bareEnvironment = (): Record<string, string> => {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
};

let start: StartProcess = startInNode;

/** Starts a process as the host does, by default another Node. */
export const startProcess: StartProcess = (file, options) => start(file, options);

/** Sets how this host starts processes; called before the first one. */
export const startProcessesBy = (way: StartProcess): void => {
  start = way;
};

/** The child's side: its parent, as seen from Node or from Electron, which name this differently. */
interface Asker {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Electron's port to the parent. */
interface ElectronPort {
  on(name: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

export function openParentPort(): Asker {
  const { parentPort } = process as { parentPort?: ElectronPort };
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    };
  }
  // Without the parent nobody needs an answer. An Electron process ends with it anyway.
  process.on('disconnect', () => process.exit());
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => process.on('message', listener),
  };
}
