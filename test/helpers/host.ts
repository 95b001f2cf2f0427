import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';
import type { Result } from '../../src/shared/contract/result.ts';
import { type EventReader, readEvents } from './events.ts';
import { firstLine } from './firstLine.ts';

export const root = join(import.meta.dirname, '..', '..');

export interface HostOptions {
  /** By default a temporary folder that is removed with the host. */
  dataDir?: string;
  env?: Record<string, string>;
  /** Additional flags of `npm start`. */
  flags?: string[];
  /** What the sandbox renders; by default an eighth of the width and height, which takes a sixtieth of the time. */
  media?: 'full' | 'tiny';
  /** Opens a window, as a user's start does. */
  open?: boolean;
  /** A command that runs the host, such as a tracer. */
  under?: string[];
  /** Hides its stderr. */
  quiet?: boolean;
}

/** The browser host in its own process, as a tool outside the project would use it. */
export interface Host {
  dataDir: string;
  /** With the token, for a page. */
  url: string;
  origin: string;
  /** The address at the proxy of `--public-url`, with the token. */
  publicUrl?: string;
  token: string;
  pid: number;
  rpc<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<Result<CallOutput<Name>>>;
  /** Like `rpc`, but throws an error with the message. */
  ask<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallOutput<Name>>;
  /** Any request, with the token unless `headers` has an `authorization`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  events(): Promise<EventReader>;
  /** Sends the signal and waits for the end; returns the exit code or the signal that ended it. */
  kill(signal: NodeJS.Signals): Promise<number | string>;
  /** Starts a new host on the same data folder. The old one must have ended. */
  restart(more?: Pick<HostOptions, 'env' | 'flags'>): Promise<Host>;
  /** Shuts it down and removes a temporary folder. */
  stop(): Promise<void>;
}

/** Starts the browser host with a fast sandbox, keys in memory only and no window, and waits until it is ready. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dailies-'));
  const child = spawnHost(dataDir, options);
  const ready = JSON.parse(await firstLine(child)) as Pick<Host, 'url' | 'publicUrl' | 'token' | 'pid'>;
  const { origin } = new URL(ready.url);
  const request: Host['request'] = (path, init = {}) =>
    fetch(origin + path, { ...init, headers: { authorization: `Bearer ${ready.token}`, ...init.headers } });
  const rpc: Host['rpc'] = async (name, input) => {
    const response = await request(`/rpc/${name}`, { method: 'POST', body: JSON.stringify(input ?? {}) });
    return (await response.json()) as never;
  };
  const kill: Host['kill'] = (signal) => end(child, signal, ready.pid);
  return {
    ...ready,
    dataDir,
    origin,
    request,
    rpc,
    ask: async (name, input) => {
      const result = await rpc(name, input);
      if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`);
      return result.data;
    },
    events: async () => readEvents(await request('/events')),
    kill,
    restart: (more) => startHost({ ...options, ...more, dataDir }),
    async stop() {
      await kill('SIGTERM');
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the process without waiting, for tests of how it starts and ends. */
export function spawnHost(
  dataDir: string,
  { env = {}, flags = [], media = 'tiny', open = false, under = [], quiet = false }: HostOptions = {},
): ChildProcess {
  const fixed = ['--host', 'browser', '--data-dir', dataDir, '--sandbox-speed', 'fast', '--sandbox-media', media];
  const given = [...fixed, ...(open ? [] : ['--no-open']), ...flags];
  const [command = '', ...args] = [...under, process.execPath, join(root, 'src', 'main', 'start.mjs'), ...given];
  return spawn(command, args, {
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
    env: { ...process.env, DAILIES_KEYCHAIN: 'off', ...env },
  });
}

/** Sends the signal and waits for the end; the signal goes to `pid` if the child only runs the program. */
export function end(child: ChildProcess, signal: NodeJS.Signals, pid = child.pid): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode ?? child.signalCode ?? '');
  return new Promise((resolve) => {
    child.once('exit', (code, by) => resolve(code ?? by ?? ''));
    signalTo(pid, signal);
  });
}

/** The process may have just ended. */
function signalTo(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}
