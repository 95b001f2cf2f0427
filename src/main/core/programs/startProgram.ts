import { fork } from 'node:child_process';

/** Starts the program as another Node. */
export const startInNode: StartProgram = (file, { maxHeapMb, heard, ended }) => {
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
export interface RunningProgram {
  /** A message that cannot be sent ends it. */
  send(message: unknown): void;
  /** A busy one keeps the whole program alive, an idle one does not. */
  setBusy(isBusy: boolean): void;
  end(): void;
  /** At once, whatever it is doing. */
  kill(): void;
}

interface ProgramOptions {
  /** JavaScript heap; a process that needs more ends. */
  maxHeapMb?: number;
  heard(message: unknown): void;
  /** Called once, as the last callback. `error`: it could not be started, or not be sent a message. */
  ended(reason: string, error?: Error): void;
}

/** Starts the program in this file. It gets none of the flags and secrets of its parent, and ends with that. */
export type StartProgram = (file: string, options: ProgramOptions) => RunningProgram;

/** The minimum environment of such a process; Windows needs its system folder. */
export const bareEnvironment = (): Record<string, string> => {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
};

let start: StartProgram = startInNode;

/** Starts a program the host's way, by default as another Node. */
export const startProgram: StartProgram = (file, options) => start(file, options);

/** Sets how this host starts programs; called before the first one. */
export const startProgramsBy = (way: StartProgram): void => {
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

export function openAsker(): Asker {
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
