import { type ChildProcess, fork as forkNode } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ForkOptions } from 'electron';
import { app } from './app.ts';
import { double } from './record.ts';

/**
 * Electron's utility processes (electron: shell/browser/api/electron_api_utility_process.cc, shell/services/node/node_service.cc). Node's
 * flags in `execArgv` are ignored, V8's are applied (`--js-flags`). An empty `env` counts as none. `pid` exists from `spawn` to the exit. A
 * process that runs out of memory reports it before it exits.
 */
// The double replaces `fork` later, so keep the original.
const fork = forkNode;

class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  private readonly child: ChildProcess;
  private isKilled = false;

  constructor(file: string, args: string[], { execArgv = [], env = {} }: ForkOptions) {
    super();
    const flags = execArgv.flatMap((flag) =>
      flag.startsWith('--js-flags=') ? flag.slice('--js-flags='.length).split(' ') : [],
    );
    this.child = fork(join(import.meta.dirname, 'utilityChild.ts'), [file, ...args], {
      execArgv: flags,
      env: Object.keys(env).length === 0 ? process.env : { ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.once('spawn', () => {
      this.pid = this.child.pid;
      this.emit('spawn');
    });
    this.child.on('message', (message) => this.emit('message', message));
    this.child.once('exit', (code, signal) => this.gone(code, signal));
    this.child.on('error', () => {});
  }

  private gone(code: number | null, signal: NodeJS.Signals | null): void {
    this.pid = undefined;
    if (signal === 'SIGABRT') this.emit('error', 'FatalError', '', '{}');
    const isAsked = this.isKilled && (signal === 'SIGTERM' || signal === 'SIGKILL');
    this.emit('exit', isAsked ? 0 : (code ?? (signal ? constants.signals[signal] : 0)));
  }

  /** Silently ignored once the process has ended. */
  postMessage(message: unknown): void {
    if (this.child.connected) this.child.send(structuredClone(message) as object, () => {});
  }

  kill(): boolean {
    if (this.pid === undefined) return false;
    this.isKilled = true;
    return this.child.kill('SIGTERM');
  }
}

export const utilityProcess = {
  fork(file: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!app.isReady()) throw new TypeError('utilityProcess cannot be created before app is ready.');
    if (!isAbsolute(file)) throw new Error('The double starts programs by their full path.');
    double.tell('utilityProcess.fork', file.split(/[\\/]/).at(-1));
    return new UtilityProcess(file, args, options);
  },
};
