import { useEffect } from 'react';
import { isTyping } from '../../app/index.ts';
import { isPageCovered } from '../../ui/index.ts';
import type { ClipPlayer } from './player/clipPlayer.ts';

/** What shows the shot that plays. */
const FOLLOWS = '[data-follows-film]';

/** Opens a list or a menu of the shot. */
const OPENER = '[aria-haspopup]';

/**
 * Stops the film where what is edited would be another shot's after the next cut, its field or list drawn anew: what is typed then would
 * be heard as keys of the page. A layer over the page stops it too, since its keys are not heard there.
 */
export function usePausedByEdits(player: ClipPlayer | undefined, isFollowed: boolean): void {
  useEffect(() => {
    if (!player || !isFollowed) return;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const isEdited = target.closest(FOLLOWS) !== null && (isTyping(target) || target.closest(OPENER) !== null);
      if (isEdited || isPageCovered()) player.pause();
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [player, isFollowed]);
}
