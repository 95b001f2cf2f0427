import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock, KeyStore, Logger, Ports, SettingsStore } from '../../src/main/core/ports.ts';
import { underWay } from './underWay.ts';

/** The ports of a studio under test: its own clock, memory instead of a keychain and of files. */

/** A clock that stands still until it is told to go on. */
export class TestClock implements Clock {
  private time: number;
  private timers: { at: number; run: () => void }[] = [];

  constructor(start: number = Date.UTC(2026, 10, 21, 12)) {
    this.time = start;
  }

  now = (): number => this.time;

  /** Jumps, as a clock that is set does: timers still wait as long as they were told to. */
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

  /** Goes on by `ms`, firing what is due in its order; everything real {@link settle}s before time moves and between the firings. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
    await settle();
  }
}

/** Turns of the event loop that somebody waits for here: nobody else's work. */
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

/** Real work ends by itself, however slow the machine is; what takes longer than this never will, and its name helps. */
const NEVER_MS = 120_000;

/**
 * Waits until nothing real is under way: promises, files, and bytes between sockets of this process (see {@link underWay}). Timers and
 * those who keep silent on purpose are not waited for. It is quiet when nothing was under way for a whole turn of the event loop.
 */
export async function settle(): Promise<void> {
  const from = performance.now();
  for (let quiet = 0; quiet < 2; ) {
    await turn();
    const busy = underWay(turns);
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
process.once('exit', () => {
  for (const dir of folders) fs.rmSync(dir, { recursive: true, force: true });
});

/** A folder that is removed when the test process ends. */
export function tempDir(label = 'dailies-test'): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${label}-`));
  folders.push(dir);
  return dir;
}
