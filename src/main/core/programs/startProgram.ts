import { fork } from 'node:child_process';

/** Starts it as another Node. */
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

/** A process of the program's own that answers messages, such as one that reads files from anywhere. */
export interface RunningProgram {
  /** What cannot be sent ends it. */
  send(message: unknown): void;
  /** A busy one keeps the whole program alive, an idle one does not. */
  setBusy(isBusy: boolean): void;
  /** It is not needed any more. */
  end(): void;
  /** At once, whatever it is doing. */
  kill(): void;
}

interface ProgramOptions {
  /** Of JavaScript's own memory; one that needs more ends. */
  maxHeapMb?: number;
  heard(message: unknown): void;
  /** Called once, after which nothing is heard. With `error` it could not be started, or not sent a message. */
  ended(reason: string, error?: Error): void;
}

/** Starts the program in this file. It gets none of the flags and secrets of the one that starts it, and ends with that. */
export type StartProgram = (file: string, options: ProgramOptions) => RunningProgram;

/** All that such a process needs of the environment; Windows starts none without its folder. */
export const bareEnvironment = (): Record<string, string> => {
  const { SystemRoot } = process.env;
  return process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {};
};

let start: StartProgram = startInNode;

/** Starts a program as the host does: as another Node, unless it has said otherwise. */
export const startProgram: StartProgram = (file, options) => start(file, options);

/** Says how this host starts programs. It must come before the first of them. */
export const startProgramsBy = (way: StartProgram): void => {
  start = way;
};

/** The side of the process that was started: who started it, as another Node or as a process of Electron, which names this differently. */
interface Asker {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Electron's port to the process that started this one. */
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
  // Without the program nobody needs an answer. A process of Electron ends with it by itself.
  process.on('disconnect', () => process.exit());
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => process.on('message', listener),
  };
}
