import { useEffect, useEffectEvent } from 'react';
import type { Player } from '../../player/player.ts';
import { type BoardHandle, type BoardTabId, playsFilm, showSeenShot } from './useBoard.ts';

/** In a tab that plays the film, the chosen shot is the one in the viewer, whatever moved the viewer there. */
export function useFollowedShot({ shots }: BoardHandle, player: Player | undefined, tab: BoardTabId): void {
  const show = useEffectEvent((shotId: string) => showSeenShot(shotId, shots));
  useEffect(() => {
    if (!player || !playsFilm(tab)) return;
    let seen: string | undefined;
    const follow = () => {
      const { shotId } = player.state();
      if (shotId === seen) return;
      seen = shotId;
      if (shotId !== undefined) show(shotId);
    };
    follow();
    return player.subscribe(follow);
  }, [player, tab]);
}
