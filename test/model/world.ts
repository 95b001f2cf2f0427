import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway } from '../../src/main/core/gateway/index.ts';
import type { Clock } from '../../src/main/core/ports.ts';
import type { Store } from '../../src/main/core/store/index.ts';
import { type EngineHarness, startEngine } from '../helpers/engineHarness.ts';
import { settle, TestClock } from '../helpers/testPorts.ts';
import { ModelService } from './service.ts';

/** Where a run is ended: right before its next commits, or right behind one that nobody hears of any more. */
export interface CrashPoint {
  /** Commits that still succeed. */
  after: number;
  /** The next one gets to the disk, but its caller never goes on. */
  written: boolean;
}

/**
 * Dailies over many lives on one data folder: a killed run says, writes and sends nothing more, whatever of it is still under way.
 * Its timers stand still, its calls never return, and what it wanted to write finds no database.
 */
export class World {
  readonly service: ModelService;
  readonly violations: string[] = [];
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'model-'));
  private readonly ground = new TestClock(Date.UTC(2026, 10, 21, 9));
  private readonly stores: Store[] = [];
  /** How far the machine's clock is from the time that has passed. */
  private offset = 0;
  private life: Life | undefined;
  /** How often an order under a key may still be sent. */
  private readonly permits = new Map<string, number>();
  private crash: CrashPoint | undefined;
  hasKey = true;
  lives = 0;
  /** How often each order was sent. */
  readonly sent = new Map<string, number>();

  private readonly client: Partial<Gateway>;

  /** `client`: another service than the model's, whose every answer the test gives. */
  constructor(options: { honoursKeys: boolean; client?: Partial<Gateway> }) {
    this.service = new ModelService(options.honoursKeys, {
      now: () => this.now(),
      onSend: (key) => {
        this.sent.set(key, (this.sent.get(key) ?? 0) + 1);
        const left = this.permits.get(key) ?? 1;
        if (left < 1) this.violations.push(`the order ${key} was sent again, and nobody had said no`);
        this.permits.set(key, left - 1);
      },
      onNo: (key) => this.permit(key),
    });
    this.client = options.client ?? this.service.client();
  }

  now = (): number => this.ground.now() + this.offset;

  /** The order may be sent once more: it was refused, or the user wants it. */
  permit(key: string): void {
    this.permits.set(key, (this.permits.get(key) ?? 1) + 1);
  }

  /** The run that is alive; starts one where there is none. */
  harness(): EngineHarness {
    for (let tries = 0; !this.life?.harness; tries++) {
      if (tries > 20) throw new Error('it does not start any more');
      this.life = this.begin();
    }
    return this.life.harness;
  }

  private begin(): Life {
    const life = new Life(this.ground, () => this.now());
    this.lives += 1;
    const wrapStore = (store: Store): Store => {
      this.stores.push(store);
      return mortal(store, life, () => this.beforeCommit(life));
    };
    try {
      const gateway = mortalGateway(this.client, life);
      life.harness = startEngine({
        dataDir: this.dataDir,
        time: life.clock,
        script: { gateway },
        hasKey: () => this.hasKey,
        profile: PROFILE,
        wrapStore,
      });
    } catch (fault) {
      if (!(fault instanceof Ended)) throw fault;
    }
    return life;
  }

  private beforeCommit(life: Life): 'ends' | 'ends behind' | 'goes on' {
    if (life.over) return 'ends';
    if (!this.crash) return 'goes on';
    if (this.crash.after > 0) {
      this.crash.after -= 1;
      return 'goes on';
    }
    const { written } = this.crash;
    this.crash = undefined;
    return written ? 'ends behind' : 'ends';
  }

  /** Ends the run when it gets there; at once without a point. */
  kill(at?: CrashPoint): void {
    if (at) this.crash = { ...at };
    else if (this.life) this.life.over = true;
  }

  /** No run is ended by an earlier {@link kill} any more. */
  spare(): void {
    this.crash = undefined;
  }

  isAlive(): boolean {
    return this.life?.over === false;
  }

  /** After a command: buries a run that has ended. */
  async calm(): Promise<void> {
    await settle();
    if (this.life?.over) this.life = undefined;
    this.harness();
  }

  async pass(ms: number): Promise<void> {
    await this.ground.advance(ms);
  }

  /** The machine's clock is set, or it slept: no timer knows of it. */
  jump(ms: number): void {
    this.offset += ms;
  }

  async close(): Promise<void> {
    if (this.life) this.life.over = true;
    await settle();
    for (const store of this.stores) store.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** One video costs what it takes to fill a budget soon; two lanes are narrow enough to queue. */
const PROFILE = {
  limits: { videosAtOnce: 2, imagesAtOnce: 2, chatsAtOnce: 2 },
  prices: [{ kind: 'image', model: '*', readings: [{ unit: 'image', nano: 1_600_000_000 }], settledReading: 0 }],
};

/** What a write of a killed run finds. It looks like a fault of the disk, which the engine waits out, for ever. */
export class Ended extends Error {
  readonly code = 'SQLITE_IOERR_WRITE';
  constructor() {
    super('this run has ended');
  }
}

class Life {
  over = false;
  harness: EngineHarness | undefined;
  readonly clock: Clock;

  constructor(ground: TestClock, now: () => number) {
    this.clock = {
      now,
      after: (ms, run) =>
        ground.after(ms, () => {
          if (!this.over) run();
        }),
    };
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

function mortal(store: Store, life: Life, beforeCommit: () => 'ends' | 'ends behind' | 'goes on'): Store {
  const end = (): never => {
    life.over = true;
    throw new Ended();
  };
  return {
    ...store,
    transaction(work) {
      const fate = beforeCommit();
      if (fate === 'ends') end();
      const value = store.transaction(work);
      return fate === 'ends behind' ? end() : value;
    },
    async grouped(work) {
      // What shares a commit is on the disk together, or not at all.
      const written = store.grouped((db) => {
        const fate = beforeCommit();
        if (fate === 'ends') end();
        const made = work(db);
        if (fate === 'ends behind') life.over = true;
        return made;
      });
      const value = await written;
      return life.over ? never() : value;
    },
  };
}

/** A killed run hears nothing more of the service. */
function mortalGateway(gateway: Partial<Gateway>, life: Life): Partial<Gateway> {
  const heard = <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      if (life.over) return never();
      const value = await call(...args);
      return life.over ? never() : value;
    };
  };
  return Object.fromEntries(
    Object.entries(gateway).map(([name, call]) => [name, heard(call as (...args: unknown[]) => Promise<unknown>)]),
  );
}
