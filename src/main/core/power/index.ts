import type { Awake, StudioEvent } from '../../../shared/events.ts';
import type { Clock, Power } from '../ports.ts';

export interface AwakeDeps {
  clock: Clock;
  /** Undefined where the host has no hold on the machine's sleep. */
  power: Power | undefined;
  emit(event: StudioEvent): void;
  /** When the next work begins that needs nobody, a night or an order, milliseconds since 1970; a moment that has passed for what is under way. */
  nextWork(): number | undefined;
}

/**
 * Work that begins this soon keeps the machine awake from now on: a timer does not run in a machine that sleeps, and who arms a night
 * in the afternoon does not come back to wake it.
 */
const DUE_MS = 12 * 3_600_000;

/** Keeps the machine awake while jobs run and while a night, or another order, is open or due. */
export class KeepAwake {
  private readonly deps: AwakeDeps;
  private isHeld = false;
  private cancelTimer: (() => void) | undefined;
  private closed = false;

  constructor(deps: AwakeDeps) {
    this.deps = deps;
  }

  state(): Awake {
    if (!this.deps.power) return 'cannot';
    return this.isHeld ? 'held' : 'free';
  }

  /** Something changed, or a moment has come: holds the machine awake or lets go. */
  look(): void {
    const { clock, power, emit } = this.deps;
    if (this.closed || !power) return;
    this.cancelTimer?.();
    const now = clock.now();
    const wait = (this.deps.nextWork() ?? Number.POSITIVE_INFINITY) - DUE_MS - now;
    const holds = wait <= 0;
    if (!holds && Number.isFinite(wait)) this.cancelTimer = clock.after(wait, () => this.look());
    if (holds === this.isHeld) return;
    this.isHeld = holds;
    power.hold(holds);
    emit({ type: 'awake.changed', awake: this.state() });
  }

  close(): void {
    this.closed = true;
    this.cancelTimer?.();
    if (this.isHeld) this.deps.power?.hold(false);
    this.isHeld = false;
  }
}
