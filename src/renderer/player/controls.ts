export interface PlayerState {
  /** Where it is; of a film, on the board's time. */
  seconds: number;
  isPlaying: boolean;
  /** 1, 2, 4 forwards; −1, −2, −4 backwards; between 0 and 1 slowed down. */
  rate: number;
  /** The shot that is seen, where shots are played. */
  shotId: string | undefined;
  error: string | undefined;
  /** The picture that was asked for is not there yet. */
  isLoading?: boolean;
}

/** What a transport and a seek bar drive: one clip, one after the other, or several at once. */
export interface PlayerControls {
  subscribe(listener: () => void): () => void;
  state(): PlayerState;
  seek(seconds: number): void;
  /** Moves by frames and stops there. */
  step(frames: number): void;
  toggle(): void;
  shuttle(direction: 1 | -1): void;
}

const FASTEST = 4;

/** The rate after J or L: pressed again in the same direction, twice as fast. */
export function shuttledRate({ isPlaying, rate }: Pick<PlayerState, 'isPlaying' | 'rate'>, direction: 1 | -1): number {
  const isSame = isPlaying && Math.sign(rate) === direction;
  return isSame ? Math.max(-FASTEST, Math.min(FASTEST, rate * 2)) : direction;
}

export const STILL: PlayerState = { seconds: 0, isPlaying: false, rate: 1, shotId: undefined, error: undefined };
