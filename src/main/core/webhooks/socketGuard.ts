import type { Socket } from 'node:net';
import type { Clock } from '../ports.ts';

export interface SocketLimits {
  /** Above this number a new socket replaces the one that has been idle longest. */
  softLimit: number;
  /** A socket younger than this is replaced only above `hardLimit`: a genuine call needs a moment between connecting and sending. */
  minAgeMs: number;
  hardLimit: number;
  /** A socket without a complete request for this long is closed. */
  idleMs: number;
}

export const SOCKET_LIMITS: SocketLimits = { softLimit: 256, minAgeMs: 1_000, hardLimit: 1_024, idleMs: 10_000 };

/**
 * Limits the receiver's sockets. No new one is turned away: a flood of silent or slow sockets evicts its own oldest, so that a genuine
 * call always gets in.
 */
export class SocketGuard {
  /** The time of each socket's last complete request, oldest first. */
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
    this.evictOldest();
    this.cancelSweep ??= this.clock.after(SWEEP_INTERVAL_MS, () => this.sweep());
  }

  /** A complete request was answered on the socket; another may follow. */
  requestCompleted(socket: Socket): void {
    if (!this.waiting.delete(socket)) return;
    this.waiting.set(socket, this.clock.now());
  }

  close(): void {
    this.cancelSweep?.();
    for (const socket of this.waiting.keys()) socket.destroy();
  }

  private evictOldest(): void {
    const { softLimit, hardLimit, minAgeMs } = this.limits;
    if (this.waiting.size <= softLimit) return;
    const [oldest] = this.waiting;
    if (oldest && (this.clock.now() - oldest[1] >= minAgeMs || this.waiting.size > hardLimit)) this.cut(oldest[0]);
  }

  private sweep(): void {
    const now = this.clock.now();
    const { softLimit, minAgeMs, idleMs } = this.limits;
    for (const [socket, since] of this.waiting) {
      const age = now - since;
      if (age < idleMs && !(this.waiting.size > softLimit && age >= minAgeMs)) break;
      this.cut(socket);
    }
    this.cancelSweep = this.waiting.size > 0 ? this.clock.after(SWEEP_INTERVAL_MS, () => this.sweep()) : undefined;
  }

  private cut(socket: Socket): void {
    this.waiting.delete(socket);
    socket.destroy();
  }
}

const SWEEP_INTERVAL_MS = 500;
