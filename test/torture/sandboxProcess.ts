import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultRule } from '../../src/main/sandbox/index.ts';
import { firstLine } from '../helpers/firstLine.ts';
import { end, root } from '../helpers/host.ts';
import { lastingPort } from '../helpers/lastingPort.ts';

export interface BillEntry {
  id: string;
  kind: string;
  prompt: string;
  nano: number;
}

interface Ready {
  baseUrl: string;
  apiKey: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
}

/** The sandbox gateway in its own process; its work and bill survive any kill of it or the studio. */
export class SandboxProcess {
  readonly stateDir: string;
  readonly ready: Ready;
  private child: ChildProcess;
  private readonly flags: string[];

  private constructor(stateDir: string, flags: string[], child: ChildProcess, ready: Ready) {
    this.stateDir = stateDir;
    this.flags = flags;
    this.child = child;
    this.ready = ready;
  }

  /** `flags`: additional flags of `npm run sandbox`. */
  static async start(stateDir: string, flags: string[] = []): Promise<SandboxProcess> {
    const port = String(await lastingPort());
    const all = ['--state', stateDir, '--port', port, '--speed', 'fast', '--media', 'tiny', ...flags];
    const child = spawnSandbox(all);
    return new SandboxProcess(stateDir, all, child, JSON.parse(await firstLine(child)) as Ready);
  }

  kill(signal: NodeJS.Signals): Promise<number | string> {
    return end(this.child, signal);
  }

  /** Restarts it on the same folder and port. */
  async restart(): Promise<void> {
    this.child = spawnSandbox(this.flags);
    await firstLine(this.child);
  }

  async faults(rules: FaultRule[]): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(rules);
    const answer = await fetch(`${this.ready.baseUrl}/__sandbox/faults`, { method: 'PUT', headers, body });
    if (!answer.ok) throw new Error(`The sandbox refuses its faults: ${await answer.text()}`);
  }

  async bill(): Promise<BillEntry[]> {
    return ((await (await fetch(`${this.ready.baseUrl}/__sandbox/bill`)).json()) as { entries: BillEntry[] }).entries;
  }

  async requests(): Promise<{ method: string; path: string; headers: Record<string, string>; status: number }[]> {
    return ((await (await fetch(`${this.ready.baseUrl}/__sandbox/requests`)).json()) as { requests: never[] }).requests;
  }

  /** The sha256 of every file it has made. */
  madeHashes(): Set<string> {
    const folder = join(this.stateDir, 'media');
    const hashOf = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
    return new Set(readdirSync(folder).map(hashOf));
  }
}

function spawnSandbox(flags: string[]): ChildProcess {
  return spawn(process.execPath, [join(root, 'src', 'main', 'start.mjs'), 'sandbox', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
