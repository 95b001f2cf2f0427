import type { Socket } from 'node:net';
import type { Clock } from '../ports.ts';

export interface SocketLimits {
  /** Above this a new socket takes the place of the one that has been of no use for the longest time. */
  most: number;
  /** The place of one as young as this is taken only above `mostEver`: a true call needs a moment between connecting and speaking. */
  youngMs: number;
  mostEver: number;
  /** One that has said nothing whole for so long is cut. */
  slowMs: number;
}

export const SOCKET_LIMITS: SocketLimits = { most: 256, youngMs: 1_000, mostEver: 1_024, slowMs: 10_000 };

/**
 * Bounds the receiver's sockets. None is turned away: a flood of silent or dribbling ones pushes out its own oldest, so that a true
 * call always gets in.
 */
export class SocketGuard {
  /** Since when each has said nothing whole; the longest first. */
  private readonly waiting = new Map<Socket, number>();
  private cancelSweep: (() => void) | undefined;
  private readonly clock: Clock;
  private readonly limits: SocketLimits;

  constructor(clock: Clock, limits: SocketLimits) {
    this.clock = clock;
    this.limits = limits;
  }

  get size(): number {
    return this.waiting.size;
  }

  add(socket: Socket): void {
    this.waiting.set(socket, this.clock.now());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.waiting.delete(socket));
    this.makeRoom();
    this.cancelSweep ??= this.clock.after(SWEEP_MS, () => this.sweep());
  }

  /** A whole request has been answered on it; it may have another one. */
  spoke(socket: Socket): void {
    if (!this.waiting.delete(socket)) return;
    this.waiting.set(socket, this.clock.now());
  }

  close(): void {
    this.cancelSweep?.();
    for (const socket of this.waiting.keys()) socket.destroy();
  }

  private makeRoom(): void {
    const { most, mostEver, youngMs } = this.limits;
    if (this.waiting.size <= most) return;
    const [oldest] = this.waiting;
    if (oldest && (this.clock.now() - oldest[1] >= youngMs || this.waiting.size > mostEver)) this.cut(oldest[0]);
  }

  private sweep(): void {
    const now = this.clock.now();
    const { most, youngMs, slowMs } = this.limits;
    for (const [socket, since] of this.waiting) {
      const age = now - since;
      if (age < slowMs && !(this.waiting.size > most && age >= youngMs)) break;
      this.cut(socket);
    }
    this.cancelSweep = this.waiting.size > 0 ? this.clock.after(SWEEP_MS, () => this.sweep()) : undefined;
  }

  private cut(socket: Socket): void {
    this.waiting.delete(socket);
    socket.destroy();
  }
}

const SWEEP_MS = 500;
