import { useEffect, useSyncExternalStore } from 'react';

export interface PlayerState {
  /** Where it is; of a film, on the board's time. */
  seconds: number;
  isPlaying: boolean;
  /** 1, 2, 4 forwards; −1, −2, −4 backwards; between 0 and 1 slowed down. */
  rate: number;
  /** The shot that is seen, where shots are played. */
  shotId: string | undefined;
  error: string | undefined;
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

/** What the player does now, frame by frame: for the few things that show the time. */
export const usePlayerState = (player: PlayerControls | undefined): PlayerState =>
  usePlayerValue(player, (state) => state);

/** One value of the player's state; renders again only when that value changes. */
export function usePlayerValue<Value>(
  player: PlayerControls | undefined,
  select: (state: PlayerState) => Value,
): Value {
  const subscribe = player?.subscribe ?? noSubscription;
  return useSyncExternalStore(subscribe, () => select(player?.state() ?? STILL));
}

const noSubscription = () => () => undefined;

/** What uses the space bar itself. */
const KEEPS_SPACE =
  'button, a, input, textarea, select, [contenteditable], [role="switch"], [role="radio"], [role="dialog"]';

/** The space bar plays and pauses, wherever it means nothing else. */
export function useSpaceBar(player: PlayerControls | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target instanceof HTMLElement && event.target.closest(KEEPS_SPACE)) return;
      event.preventDefault();
      player?.toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [player]);
}
