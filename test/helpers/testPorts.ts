import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Clock, KeyStore, Logger, Ports, SettingsStore } from '../../src/main/core/ports.ts';
import { pendingWork } from './pendingWork.ts';

/** Ports of a studio under test: a test clock, and memory instead of a keychain and files. */

/** A clock that moves only when a test moves it. */
export class TestClock implements Clock {
  private time: number;
  private timers: { at: number; run: () => void }[] = [];

  constructor(start: number = Date.UTC(2026, 10, 21, 12)) {
    this.time = start;
  }

  now = (): number => this.time;

  /** Sets the time, as a user sets a clock: timers keep their remaining time. */
  set(time: number): void {
    this.timers = this.timers.map(({ at, run }) => ({ at: at + time - this.time, run }));
    this.time = time;
  }

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  };

  /** Moves on by `ms` and fires what is due, in order; real work {@link settle}s before the time moves and between timers. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.fire(next);
    }
    this.time = end;
    await settle();
  }

  /** Jumps to the next timer and fires it, so that an hour of waiting takes no time. */
  leap(): void {
    const [next] = this.timers.toSorted((a, b) => a.at - b.at);
    if (next) this.fire(next);
  }

  private fire(timer: { at: number; run: () => void }): void {
    this.timers = this.timers.filter((other) => other !== timer);
    this.time = Math.max(this.time, timer.at);
    timer.run();
  }
}

/** Turns of the event loop that `settle` itself takes. */
let turns = 0;
const turn = (): Promise<void> => {
  turns += 1;
  return new Promise((done) =>
    setImmediate(() => {
      turns -= 1;
      done();
    }),
  );
};

/** Real work ends, however slow the machine. Anything longer never ends, and the error names it. */
const NEVER_MS = 120_000;

/** Turns before `settle` begins to pause between two checks: files answer sooner, other processes later. */
const MANY_TURNS = 50;

/**
 * Waits until no real work is pending: promises, files, and bytes between sockets of this process (see {@link pendingWork}). Timers and
 * deliberately silent connections are not waited for. The process is idle when nothing was pending for a whole turn of the event loop.
 */
export async function settle(): Promise<void> {
  const from = performance.now();
  for (let quiet = 0, turned = 0; quiet < 2; turned += 1) {
    // Leaves the processor to other processes.
    await (turned < MANY_TURNS ? turn() : setTimeout(1));
    const busy = pendingWork(turns);
    quiet = busy.length === 0 ? quiet + 1 : 0;
    if (performance.now() - from > NEVER_MS) throw new Error(`it never settles: ${busy.join(', ')}`);
  }
}

export const silentLog: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  hide: () => undefined,
};

/** A log that keeps its messages and the values it was told to hide. */
export function recordingLog(): Logger & { lines: string[]; hidden: Set<string> } {
  const lines: string[] = [];
  const hidden = new Set<string>();
  const record = (_: Record<string, unknown>, message: string) => void lines.push(message);
  return { lines, hidden, info: record, warn: record, error: record, hide: (secret) => void hidden.add(secret) };
}

export function memoryKeys(keys: Record<string, string> = {}): KeyStore {
  const values = new Map(Object.entries(keys));
  return {
    place: async () => 'memory',
    get: async (name) => {
      const value = values.get(name);
      return value === undefined ? null : { value, place: 'memory' };
    },
    set: async (name, value) => {
      values.set(name, value);
      return 'memory';
    },
    forget: async (name) => void values.delete(name),
  };
}

export function memorySettings(): SettingsStore {
  const values = new Map<string, string>();
  return {
    read: (key) => (values.has(key) ? JSON.parse(values.get(key) ?? 'null') : undefined),
    write: (key, value) => void values.set(key, JSON.stringify(value)),
  };
}

export function countingIds(): Ports['ids'] {
  let count = 0;
  return {
    id: (prefix) => {
      count += 1;
      return `${prefix}_${String(count).padStart(6, '0')}`;
    },
    secret: () => randomBytes(16).toString('hex'),
  };
}

export function testPorts(overrides: Partial<Ports> = {}): Ports {
  return {
    clock: new TestClock(),
    ids: countingIds(),
    random: () => 0.5,
    keys: memoryKeys(),
    settings: memorySettings(),
    notifier: { notify: () => undefined },
    opener: { openExternal: async () => undefined },
    log: silentLog,
    ...overrides,
  };
}

const folders: string[] = [];

/** Removes what {@link tempDir} has made so far. */
export function removeTempDirs(): void {
  process.off('exit', removeTempDirs);
  for (const dir of folders.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
}

/** A folder that is removed when the test process ends, or earlier. */
export function tempDir(label = 'dailies-test'): string {
  if (folders.length === 0) process.once('exit', removeTempDirs);
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${label}-`));
  folders.push(dir);
  return dir;
}
