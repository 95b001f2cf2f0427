import { useEffect, useSyncExternalStore } from 'react';
import { type PlayerControls, type PlayerState, STILL } from './controls.ts';

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
