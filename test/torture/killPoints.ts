import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine } from '../helpers/firstLine.ts';
import { tempDir } from '../helpers/testPorts.ts';

/**
 * A disk-changing system call at which a program is killed: the n-th of its kind. strace sends SIGKILL as the call is entered, so neither
 * it nor any later call happens.
 */
export interface KillPoint {
  call: string;
  nth: number;
}

const WRITING_CALLS = ['pwrite64', 'write', 'fsync', 'fdatasync', 'ftruncate', 'rename', 'unlink', 'mkdir'];

export const hasStrace = (): boolean => spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0;

/** Runs the program to its end once and returns every point at which it could be killed, in order. */
export async function killPointsOf(program: string, args: string[]): Promise<KillPoint[]> {
  const log = join(tempDir('torture-strace'), 'calls');
  const code = await traced(['-o', log, '-e', `trace=${WRITING_CALLS.join(',')}`], program, args);
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
  const counts = new Map<string, number>();
  const points = readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const call = /^(\w+)\(/.exec(line)?.[1];
      if (!call) return [];
      const nth = (counts.get(call) ?? 0) + 1;
      counts.set(call, nth);
      return [{ call, nth }];
    });
  rmSync(log);
  return points;
}

/** Runs the program up to that point; returns whether it was killed there (false: it ended first). */
export async function killAt({ call, nth }: KillPoint, program: string, args: string[]): Promise<boolean> {
  const rule = ['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${nth}`];
  const code = await traced(rule, program, args);
  if (code !== 0 && code !== KILLED) throw new Error(`${program} ended with ${code}.`);
  return code === KILLED;
}

/** The shell's exit code for SIGKILL. */
const KILLED = 137;

/** Traces only the main thread, which alone writes databases here. Returns the exit code; {@link KILLED} for a signal. */
function traced(rule: string[], program: string, args: string[]): Promise<number> {
  const child = spawn('strace', [...rule, process.execPath, program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? KILLED : (code ?? 1)));
  });
}

/** Kills the program so many milliseconds after its first line, for machines without strace; returns whether it was killed there. */
export async function killAfter(ms: number, program: string, args: string[]): Promise<boolean> {
  const { child, ended } = await begun(program, args);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const signal = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL';
}

/** How many milliseconds the program takes from its first line to its end. */
export async function timeOf(program: string, args: string[]): Promise<number> {
  const { ended } = await begun(program, args);
  const from = performance.now();
  await ended;
  return performance.now() - from;
}

async function begun(program: string, args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  await firstLine(child);
  return { child, ended };
}
