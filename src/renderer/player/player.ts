import { FPS, frameAt, type PlayRange, timeOfFrame } from './frames.ts';

export interface PlayerState {
  /** Where it is; of a film on the board's time, around a link from the link on. */
  seconds: number;
  /** Length in seconds; 0 while it is not known. */
  total: number;
  isPlaying: boolean;
  /** 1, 2, 4 forwards; −1, −2, −4 backwards; between 0 and 1 slowed down. */
  rate: number;
  /** The shot that is seen, where shots are played. */
  shotId: string | undefined;
  error: string | undefined;
  /** The picture that was asked for is not there yet. */
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

/** The rate after J or L: pressed again in the same direction, twice as fast. */
function shuttledRate({ isPlaying, rate }: PlayerState, direction: 1 | -1): number {
  const isSame = isPlaying && Math.sign(rate) === direction;
  return isSame ? Math.max(-FASTEST, Math.min(FASTEST, rate * 2)) : direction;
}

/** A player of one file, of a film, or of takes at the same time: its state, its transport and the play backwards, which no browser has. */
export abstract class Player {
  private readonly listeners = new Set<() => void>();
  private animation = 0;
  /** While it plays backwards: when and where that began. */
  private reverse: { at: number; seconds: number } | undefined;
  protected current = STILL;
  protected fps = FPS;
  protected isLooping = false;

  /** The range it plays. */
  protected abstract readonly range: PlayRange;
  /** A picture that was asked for is not there yet. */
  protected abstract readonly isSeeking: boolean;
  /** Shows a moment, and plays on from there. */
  protected abstract place(seconds: number): void;
  /** Begins to play; backwards the moments are placed one by one. */
  protected abstract start(rate: number): void;
  protected abstract halt(): void;
  /** Called with every refresh of the display. */
  protected abstract advance(): void;
  abstract mute(isMuted: boolean): void;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.current;

  /** Begins again at its end. */
  loop(isLooping: boolean): void {
    this.isLooping = isLooping;
  }

  seek(seconds: number): void {
    this.place(seconds);
    if (this.reverse) this.reverse = { at: performance.now(), seconds: this.current.seconds };
  }

  /** Moves by frames and stops there. */
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
    // The last frame, wherever in it the time stands.
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

  /** As fast as the decoder follows. */
  private goBack({ at, seconds }: { at: number; seconds: number }): void {
    const target = seconds + ((performance.now() - at) / 1_000) * this.current.rate;
    if (target <= this.range.from) {
      this.pause();
      this.place(this.range.from);
    } else if (!this.isSeeking) this.place(target);
  }

  /** A display is refreshed more often than a clip has frames, and who follows the time draws something each time. */
  protected moveTo(seconds: number, origin = 0): void {
    const isNew = frameAt(seconds - origin, this.fps) !== frameAt(this.current.seconds - origin, this.fps);
    if (isNew) this.set({ seconds });
  }

  protected set(patch: Partial<PlayerState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}
