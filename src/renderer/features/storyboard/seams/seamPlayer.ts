import { EDGE_S } from '../../../../shared/measures.ts';
import { type GainKey, gainAt } from '../../../../shared/sound/mixPlan.ts';
import { FPS, frameAt } from '../../../player/frames.ts';
import { followGains, SoundOutput } from '../player/soundOutput.ts';

interface SeamState {
  /** Seconds from the seam: below 0 the first clip plays. */
  at: number;
  isPlaying: boolean;
}

interface Side {
  video: HTMLVideoElement;
  seconds: number;
}

const HALF_FRAME = 0.5 / FPS;

/** Plays one second before a seam and one after it; both clips keep their place, so that either can be looked at. */
export class SeamPlayer {
  private readonly listeners = new Set<() => void>();
  private readonly sound = new SoundOutput();
  /** Of each side, over its own seconds. */
  private gains: readonly (readonly GainKey[])[] = [];
  private sides: readonly [Side, Side] | undefined;
  private clock = { at: 0, from: 0 };
  private animation = 0;
  private current: SeamState = { at: 0, isPlaying: false };
  isLooping = true;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): SeamState => this.current;

  load(before: Side | undefined, after: Side | undefined): void {
    this.pause();
    this.sides = before && after ? [before, after] : undefined;
    this.place(0);
  }

  /** How loud each side is over its own seconds: as the film plays. */
  setGains(before: readonly GainKey[], after: readonly GainKey[]): void {
    this.gains = [before, after];
    this.follow();
  }

  dispose(): void {
    this.load(undefined, undefined);
    this.listeners.clear();
    this.sound.dispose();
  }

  toggle(): void {
    if (this.current.isPlaying) this.pause();
    else this.play();
  }

  step(frames: number): void {
    this.pause();
    this.place(Math.round(this.current.at * FPS + frames) / FPS);
  }

  pause(): void {
    cancelAnimationFrame(this.animation);
    for (const { video } of this.sides ?? []) video.pause();
    if (this.current.isPlaying) this.set({ isPlaying: false });
  }

  /** From a second before the seam, unless it stands in between. */
  play(): void {
    const { at } = this.current;
    this.place(at === 0 || at >= EDGE_S ? -EDGE_S : at);
    this.clock = { at: performance.now(), from: this.current.at };
    this.set({ isPlaying: true });
    this.sound.begin();
    this.sound.whenRunning(this.follow);
    this.run();
    this.tick();
  }

  private place(seconds: number): void {
    const at = Math.min(EDGE_S, Math.max(-EDGE_S, seconds));
    const [before, after] = this.sides ?? [];
    if (before) before.video.currentTime = Math.max(0, before.seconds + Math.min(0, at + 1 / FPS) - HALF_FRAME);
    if (after)
      after.video.currentTime = Math.min(Math.max(0, at) + HALF_FRAME, Math.max(0, after.seconds - HALF_FRAME));
    this.set({ at });
  }

  private run(): void {
    const [before, after] = this.sides ?? [];
    const isBefore = this.current.at < 0;
    const playing = isBefore ? before : after;
    const still = isBefore ? after : before;
    still?.video.pause();
    void playing?.video.play().catch(() => undefined);
    this.follow();
  }

  private readonly follow = (): void => {
    for (const [index, { video }] of (this.sides ?? []).entries()) {
      const gains = this.gains[index] ?? [];
      const led = this.sound.lead(video);
      if (led) followGains(led, gains, { from: video.currentTime, rate: video.paused ? 0 : 1 });
      else video.volume = Math.min(1, gainAt(gains, video.currentTime));
    }
  };

  private readonly tick = (): void => {
    cancelAnimationFrame(this.animation);
    if (!this.current.isPlaying) return;
    const was = this.current.at;
    const at = this.clock.from + (performance.now() - this.clock.at) / 1_000;
    if (at >= EDGE_S) {
      if (!this.isLooping) {
        this.pause();
        return;
      }
      this.place(-EDGE_S);
      this.clock = { at: performance.now(), from: -EDGE_S };
      this.run();
    } else {
      // Frames before the seam have numbers below 0.
      if (frameAt(at) !== frameAt(was)) this.set({ at });
      if (was < 0 && at >= 0) this.run();
    }
    this.animation = requestAnimationFrame(this.tick);
  };

  private set(patch: Partial<SeamState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}
