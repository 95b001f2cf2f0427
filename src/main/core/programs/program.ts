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

export interface ProgramOptions {
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
