import type { Awake, StudioEvent } from '../../../shared/contract/events.ts';
import type { PowerSource } from '../../../shared/jobs/night.ts';
import type { Clock, Power } from '../ports.ts';

interface KeepAwakeDeps {
  clock: Clock;
  /** Undefined if the host cannot control sleep. */
  power: Power | undefined;
  emit(event: StudioEvent): void;
  /** When the next unattended work begins (a run or a job), milliseconds since 1970; a past moment while work is running. */
  nextDueAt(): number | undefined;
}

/**
 * Work that begins within this time keeps the machine awake from now on: timers do not run in sleep, and nobody returns at night to wake it.
 */
const LOOKAHEAD_MS = 12 * 3_600_000;

/** Many jobs change together; they are evaluated once in this time. */
const BURST_MS = 250;

/** Keeps the machine awake while jobs run, and while a run or a job is open or due. */
export class KeepAwake {
  private readonly deps: KeepAwakeDeps;
  private isHeld = false;
  private cancelTimer: (() => void) | undefined;
  private cancelBurst: (() => void) | undefined;
  private closed = false;

  constructor(deps: KeepAwakeDeps) {
    this.deps = deps;
  }

  state(): Awake {
    if (!this.deps.power) return 'cannot';
    return this.isHeld ? 'held' : 'free';
  }

  /** Holds or releases the machine, after a change or at a scheduled moment. */
  update(): void {
    const { clock, power, emit } = this.deps;
    if (this.closed || !power) return;
    this.cancelTimer?.();
    const now = clock.now();
    const wait = (this.deps.nextDueAt() ?? Number.POSITIVE_INFINITY) - LOOKAHEAD_MS - now;
    const holds = wait <= 0;
    if (!holds && Number.isFinite(wait)) this.cancelTimer = clock.after(wait, () => this.update());
    if (holds === this.isHeld) return;
    this.isHeld = holds;
    power.hold(holds);
    emit({ type: 'awake.changed', awake: this.state() });
  }

  /** A job's start may change although the queue's length does not. */
  jobChanged(): void {
    if (this.closed) return;
    this.cancelBurst ??= this.deps.clock.after(BURST_MS, () => {
      this.cancelBurst = undefined;
      this.update();
    });
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    this.cancelBurst?.();
    if (this.isHeld) this.deps.power?.hold(false);
    this.isHeld = false;
  }
}

/** `unknown` in a host that cannot tell, so that no rule acts on a guess. */
export const powerSourceOf = (power: Pick<Power, 'source'> | undefined): PowerSource => power?.source?.() ?? 'unknown';
