import { FPS, frameAt, type PlayRange, timeOfFrame } from './frames.ts';

export interface PlayerState {
  /** The position: in film time for films; relative to the link around a link. */
  seconds: number;
  /** Length in seconds; 0 while unknown. */
  total: number;
  isPlaying: boolean;
  /** 1, 2, 4 forwards; −1, −2, −4 backwards; between 0 and 1 slow motion. */
  rate: number;
  /** The visible shot, if shots are played. */
  shotId: string | undefined;
  error: string | undefined;
  /** Whether the requested picture is still loading. */
  isLoading: boolean;
}

export const STILL: PlayerState = {
  seconds: 0,
  total: 0,
  isPlaying: false,
  rate: 1,
  shotId: undefined,
  error: undefined,
  isLoading: false,
};

const FASTEST = 4;

/** The rate after J or L: doubled when pressed again in the same direction. */
function shuttledRate({ isPlaying, rate }: PlayerState, direction: 1 | -1): number {
  const isSame = isPlaying && Math.sign(rate) === direction;
  return isSame ? Math.max(-FASTEST, Math.min(FASTEST, rate * 2)) : direction;
}

/** A player of one file, of a film, or of several takes in sync: its state, its transport, and playing backwards, which no browser can. */
export abstract class Player {
  private readonly listeners = new Set<() => void>();
  private animation = 0;
  /** While playing backwards: when and where that began. */
  private reverse: { at: number; seconds: number } | undefined;
  protected current = STILL;
  protected fps = FPS;
  protected isLooping = false;

  /** The range it plays. */
  protected abstract readonly range: PlayRange;
  /** Whether a requested picture is still loading. */
  protected abstract readonly isSeeking: boolean;
  /** Seeks, and continues playing from there. */
  protected abstract place(seconds: number): void;
  /** Starts to play; backwards, frames are sought one by one. */
  protected abstract start(rate: number): void;
  protected abstract halt(): void;
  /** Called on every refresh of the display. */
  protected abstract advance(): void;
  abstract mute(isMuted: boolean): void;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.current;

  /** Whether it starts again at its end. */
  loop(isLooping: boolean): void {
    this.isLooping = isLooping;
  }

  seek(seconds: number): void {
    this.place(seconds);
    if (this.reverse) this.reverse = { at: performance.now(), seconds: this.current.seconds };
  }

  /** Moves by frames and pauses. */
  step(frames: number): void {
    this.pause();
    this.seek(timeOfFrame(frameAt(this.current.seconds, this.fps) + frames, this.fps));
  }

  toggle(): void {
    if (this.current.isPlaying) this.pause();
    else this.play();
  }

  shuttle(direction: 1 | -1): void {
    this.play(shuttledRate(this.current, direction));
  }

  play(rate = 1): void {
    const { isPlaying, seconds } = this.current;
    const { from, to } = this.range;
    // At the last frame, wherever the time is within it.
    if (rate > 0 && !isPlaying && seconds >= to - 1.25 / this.fps) this.place(from);
    this.reverse = rate < 0 ? { at: performance.now(), seconds } : undefined;
    this.set({ isPlaying: true, rate });
    this.start(rate);
    this.tick();
  }

  pause(): void {
    cancelAnimationFrame(this.animation);
    this.reverse = undefined;
    this.halt();
    if (this.current.isPlaying) this.set({ isPlaying: false, rate: 1 });
  }

  dispose(): void {
    this.pause();
    this.listeners.clear();
  }

  protected readonly tick = (): void => {
    cancelAnimationFrame(this.animation);
    if (!this.current.isPlaying) return;
    if (this.reverse) this.goBack(this.reverse);
    else this.advance();
    if (this.current.isPlaying) this.animation = requestAnimationFrame(this.tick);
  };

  /** Plays backwards as fast as the decoder can seek. */
  private goBack({ at, seconds }: { at: number; seconds: number }): void {
    const target = seconds + ((performance.now() - at) / 1_000) * this.current.rate;
    if (target <= this.range.from) {
      this.pause();
      this.place(this.range.from);
    } else if (!this.isSeeking) this.place(target);
  }

  /** Reports a time once per frame: displays refresh more often than clips have frames, and every report renders something. */
  protected moveTo(seconds: number, origin = 0): void {
    const isNew = frameAt(seconds - origin, this.fps) !== frameAt(this.current.seconds - origin, this.fps);
    if (isNew) this.set({ seconds });
  }

  protected set(patch: Partial<PlayerState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}
