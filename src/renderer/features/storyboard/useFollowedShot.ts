import { useEffect, useRef } from 'react';
import type { PlayerControls } from '../../player/controls.ts';
import { type BoardHandle, type BoardTabId, playsFilm, showSeenShot } from './useBoard.ts';

/** In a tab that plays the film, the chosen shot is the one in the viewer, whatever moved the viewer there. */
export function useFollowedShot({ shots }: BoardHandle, player: PlayerControls | undefined, tab: BoardTabId): void {
  const latest = useRef(shots);
  latest.current = shots;
  useEffect(() => {
    if (!player || !playsFilm(tab)) return;
    let seen: string | undefined;
    const follow = () => {
      const { shotId } = player.state();
      if (shotId === seen) return;
      seen = shotId;
      if (shotId !== undefined) showSeenShot(shotId, latest.current);
    };
    follow();
    return player.subscribe(follow);
  }, [player, tab]);
}
