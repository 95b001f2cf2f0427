import type { ShotView, TakeView } from './model/view.ts';
import type { ClipPlayer } from './player/clipPlayer.ts';
import type { BoardHandle } from './useBoard.ts';
import type { BoardActions } from './useBoardActions.ts';

/** What every tab is given: the film, the chosen shot, the take in the viewer, and the player while a viewer is shown. */
export interface BoardTabProps {
  board: BoardHandle;
  shot: ShotView;
  take: TakeView | undefined;
  actions: BoardActions;
  player: ClipPlayer | undefined;
  onPlayer: (player: ClipPlayer | undefined) => void;
}

/** A shot, with the take of it in the viewer. */
export type TakeProps = Pick<BoardTabProps, 'board' | 'shot' | 'take'>;

/** A shot as it is set up. */
export interface ViewProps {
  board: BoardHandle;
  view: ShotView;
}
