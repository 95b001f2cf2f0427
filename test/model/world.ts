import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Gateway, SendOptions, SentRequest } from '../../src/main/core/gateway/index.ts';
import type { Clock } from '../../src/main/core/ports.ts';
import type { Store } from '../../src/main/core/store/index.ts';
import { type EngineHarness, startEngine } from '../helpers/engineHarness.ts';
import { settle, TestClock } from '../helpers/testPorts.ts';
import { ModelService } from './service.ts';

/** Where a run is killed: right before its next commits, or right after a commit whose result nobody receives. */
export interface CrashPoint {
  /** Number of commits that still succeed. */
  after: number;
  /** Whether the next commit still reaches the disk; its caller never continues. */
  written: boolean;
}

/**
 * Dailies over many runs on one data folder. A killed run emits, writes and sends nothing more: its timers stop, its calls never return,
 * and its writes find no database.
 */
export class World {
  readonly service: ModelService;
  readonly violations: string[] = [];
  private readonly dataDir = mkdtempSync(join(tmpdir(), 'model-'));
  private readonly ground = new TestClock(Date.UTC(2026, 10, 21, 9));
  private readonly stores: Store[] = [];
  /** Difference between the machine's clock and elapsed time. */
  private offset = 0;
  private run: SimulatedRun | undefined;
  /** How often a request with a key may still be sent. */
  private readonly permits = new Map<string, number>();
  private crash: CrashPoint | undefined;
  hasKey = true;
  lives = 0;
  /** How often each request was sent. */
  readonly sent = new Map<string, number>();

  /** How often a request was sent again under its key. */
  asked = 0;
  private readonly client: Partial<Gateway>;
  private readonly profile: object;

  /** `client`: replaces the modelled gateway by one whose answers the test gives. */
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
      onRepeat: (key) => {
        this.asked += 1;
        if (!options.honoursKeys) this.violations.push(`${key} was asked for again where keys are not honoured`);
      },
    });
    this.client = options.client ?? this.service.client();
    this.profile = options.honoursKeys ? { ...PROFILE, idempotency: DOCUMENTED } : PROFILE;
  }

  now = (): number => this.ground.now() + this.offset;

  /** Allows one more send of the request: it was refused, or the user wants it. */
  permit(key: string): void {
    this.permits.set(key, (this.permits.get(key) ?? 1) + 1);
  }

  /** The current run; starts one if there is none. */
  harness(): EngineHarness {
    for (let tries = 0; !this.run?.harness; tries++) {
      if (tries > 20) throw new Error('it does not start any more');
      this.run = this.begin();
    }
    return this.run.harness;
  }

  private begin(): SimulatedRun {
    const run = new SimulatedRun(this.ground, () => this.now());
    this.lives += 1;
    const wrapStore = (store: Store): Store => {
      this.stores.push(store);
      return killableStore(store, run, () => this.beforeCommit(run));
    };
    try {
      const gateway = killableGateway(this.client, run);
      run.harness = startEngine({
        dataDir: this.dataDir,
        time: run.clock,
        script: { gateway },
        hasKey: () => this.hasKey,
        profile: this.profile,
        wrapStore,
      });
    } catch (fault) {
      if (!(fault instanceof RunKilled)) throw fault;
    }
    return run;
  }

  private beforeCommit(run: SimulatedRun): 'ends' | 'ends after commit' | 'goes on' {
    if (run.over) return 'ends';
    if (!this.crash) return 'goes on';
    if (this.crash.after > 0) {
      this.crash.after -= 1;
      return 'goes on';
    }
    const { written } = this.crash;
    this.crash = undefined;
    return written ? 'ends after commit' : 'ends';
  }

  /** Kills the run at a point; immediately without one. */
  kill(at?: CrashPoint): void {
    if (at) this.crash = { ...at };
    else if (this.run) this.run.over = true;
  }

  /** Cancels a pending {@link kill}. */
  spare(): void {
    this.crash = undefined;
  }

  isAlive(): boolean {
    return this.run?.over === false;
  }

  /** Cleans up after a command that killed its run. */
  async calm(): Promise<void> {
    await settle();
    if (this.run?.over) this.run = undefined;
    this.harness();
  }

  async pass(ms: number): Promise<void> {
    await this.ground.advance(ms);
  }

  /** The machine's clock was set or it slept; timers do not notice. */
  jump(ms: number): void {
    this.offset += ms;
  }

  async close(): Promise<void> {
    if (this.run) this.run.over = true;
    await settle();
    for (const store of this.stores) store.close();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Videos are expensive enough to fill a budget soon; two at once are few enough to make a queue. */
const PROFILE = {
  limits: { videosAtOnce: 2, imagesAtOnce: 2, chatsAtOnce: 2 },
  prices: [{ kind: 'image', model: '*', readings: [{ unit: 'image', nano: 1_600_000_000 }], settledReading: 0 }],
};

const DOCUMENTED = { kind: 'documented', source: 'the model', windowHours: 720 };

/** Thrown by writes of a killed run. It looks like a disk fault, for which the engine waits for ever. */
export class RunKilled extends Error {
  readonly code = 'SQLITE_IOERR_WRITE';
  constructor() {
    super('this run has ended');
  }
}

class SimulatedRun {
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

function killableStore(
  store: Store,
  run: SimulatedRun,
  beforeCommit: () => 'ends' | 'ends after commit' | 'goes on',
): Store {
  const end = (): never => {
    run.over = true;
    throw new RunKilled();
  };
  return {
    ...store,
    transaction(work) {
      const fate = beforeCommit();
      if (fate === 'ends') end();
      const value = store.transaction(work);
      return fate === 'ends after commit' ? end() : value;
    },
    async grouped(work) {
      // Writes that share a commit reach the disk together, or not at all.
      const written = store.grouped((db) => {
        const fate = beforeCommit();
        if (fate === 'ends') end();
        const made = work(db);
        if (fate === 'ends after commit') run.over = true;
        return made;
      });
      const value = await written;
      return run.over ? never() : value;
    },
  };
}

/** A run that is killed while it stores a request does not send it. */
function untilKilled(arg: unknown, run: SimulatedRun): unknown {
  const { keep } = (arg ?? {}) as Partial<SendOptions>;
  if (!keep) return arg;
  const kept = async (request: SentRequest): Promise<boolean> => {
    const isWanted = await keep(request);
    if (run.over) await never();
    return isWanted;
  };
  return { ...(arg as SendOptions), keep: kept };
}

/** A gateway from which a killed run receives nothing. */
function killableGateway(gateway: Partial<Gateway>, run: SimulatedRun): Partial<Gateway> {
  const heard = <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => {
      if (run.over) return never();
      const value = await call(...(args.map((arg) => untilKilled(arg, run)) as Args));
      return run.over ? never() : value;
    };
  };
  const { accountOf, ...calls } = gateway;
  const heardCalls = Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, heard(call as (...args: unknown[]) => Promise<unknown>)]),
  );
  return accountOf ? { ...heardCalls, accountOf } : heardCalls;
}
