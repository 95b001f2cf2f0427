/** Plays one clip, and around one place of it again and again. */

interface PlayerState {
  /** Seconds. */
  at: number;
  isPlaying: boolean;
}

export interface Loop {
  from: number;
  to: number;
}

export class TriagePlayer {
  private readonly listeners = new Set<() => void>();
  private video: HTMLVideoElement | undefined;
  private animation = 0;
  private current: PlayerState = { at: 0, isPlaying: false };
  private seconds = 0;
  private fps = 24;
  /** What is played again and again; undefined plays on. */
  loop: Loop | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.current;

  load(video: HTMLVideoElement | null, seconds: number, fps: number): void {
    this.pause();
    this.video = video ?? undefined;
    this.seconds = seconds;
    this.fps = fps > 0 ? fps : 24;
    this.seek(this.current.at);
  }

  /** Goes to a moment; its frame is shown, and not the one before it. */
  seek(seconds: number): void {
    // Before the clip is there the place is kept as it is.
    const last = this.seconds > 0 ? Math.max(0, this.seconds - 1 / this.fps) : seconds;
    const at = Math.min(last, Math.max(0, seconds));
    if (this.video) this.video.currentTime = at + 0.5 / this.fps;
    this.set({ at });
  }

  step(frames: number): void {
    this.pause();
    this.seek(Math.round(this.current.at * this.fps + frames) / this.fps);
  }

  toggle(): void {
    if (this.current.isPlaying) this.pause();
    else this.play();
  }

  play(): void {
    if (!this.video) return;
    const { at } = this.current;
    const { from = 0, to = this.seconds } = this.loop ?? {};
    if (this.loop || at >= this.seconds - 2 / this.fps) this.seek(at >= to || at < from || this.loop ? from : 0);
    this.set({ isPlaying: true });
    void this.video.play().catch(() => this.pause());
    this.tick();
  }

  pause(): void {
    cancelAnimationFrame(this.animation);
    this.video?.pause();
    if (this.current.isPlaying) this.set({ isPlaying: false });
  }

  private readonly tick = (): void => {
    cancelAnimationFrame(this.animation);
    const { video } = this;
    if (!video || !this.current.isPlaying) return;
    const at = Math.min(this.seconds, video.currentTime);
    if (this.loop && at >= this.loop.to) video.currentTime = this.loop.from;
    else if (video.ended || at >= this.seconds - 0.5 / this.fps) {
      if (!this.loop) {
        this.pause();
        return;
      }
      video.currentTime = this.loop.from;
      void video.play().catch(() => this.pause());
    }
    this.set({ at });
    this.animation = requestAnimationFrame(this.tick);
  };

  private set(patch: Partial<PlayerState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}
