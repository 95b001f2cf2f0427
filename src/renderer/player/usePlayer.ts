import { useEffect, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { useShortcut } from '../app/index.ts';
import { type Player, type PlayerState, STILL } from './player.ts';

/** What is played; each has its own loop setting. */
export type Played = 'file' | 'film' | 'takes' | 'link';

/** Playback settings, kept as long as the window. */
export const usePlayback = create(() => ({
  volume: 1,
  isMuted: false,
  speed: 1,
  loops: { file: true, film: false, takes: false, link: true } satisfies Record<Played, boolean>,
}));

export const toggleMute = (): void => usePlayback.setState(({ isMuted }) => ({ isMuted: !isMuted }));
export const toggleLoop = (of: Played): void =>
  usePlayback.setState(({ loops }) => ({ loops: { ...loops, [of]: !loops[of] } }));

/** The player's state, frame by frame: for the few parts that show the time. */
export const usePlayerState = (player: Player | undefined): PlayerState => usePlayerValue(player, (state) => state);

/** One value of the player's state; renders again only when that value changes. */
export function usePlayerValue<Value>(player: Player | undefined, select: (state: PlayerState) => Value): Value {
  const subscribe = player?.subscribe ?? noSubscription;
  return useSyncExternalStore(subscribe, () => select(player?.state() ?? STILL));
}

const noSubscription = () => () => undefined;

/** Applies the playback settings and the shortcuts: J K L, Space, comma, full stop, and those of the settings. */
export function usePlayer(player: Player | undefined, of: Played): void {
  const { isMuted, loops } = usePlayback();
  const isLooping = loops[of];
  useEffect(() => player?.mute(isMuted), [player, isMuted]);
  useEffect(() => player?.loop(isLooping), [player, isLooping]);
  useShortcut('board.back', () => player?.shuttle(-1));
  useShortcut('board.play', () => player?.toggle());
  useShortcut('board.forward', () => player?.shuttle(1));
  useShortcut('player.frameBack', () => player?.step(-1));
  useShortcut('player.frameForward', () => player?.step(1));
  useShortcut('player.mute', toggleMute);
  useShortcut('player.loop', () => toggleLoop(of));
  useSpaceBar(player);
}

/** Elements that use the space bar themselves. */
const KEEPS_SPACE =
  'button, a, input, textarea, select, [contenteditable], [role="switch"], [role="radio"], [role="dialog"]';

/** The space bar plays and pauses, unless the focused element uses it. */
function useSpaceBar(player: Player | undefined): void {
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
