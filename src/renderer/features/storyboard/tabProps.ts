import type { ShotView, TakeView } from './model/view.ts';
import type { ClipPlayer } from './player/clipPlayer.ts';
import type { BoardHandle } from './useBoard.ts';
import type { BoardActions } from './useBoardActions.ts';

/** The props of every tab: the film, the selected shot, the take in the viewer, and the player while a viewer is mounted. */
export interface BoardTabProps {
  board: BoardHandle;
  shot: ShotView;
  take: TakeView | undefined;
  actions: BoardActions;
  player: ClipPlayer | undefined;
  onPlayer: (player: ClipPlayer | undefined) => void;
}

/** A shot and its take in the viewer. */
export type TakeProps = Pick<BoardTabProps, 'board' | 'shot' | 'take'>;

/** A shot and its board. */
export interface ViewProps {
  board: BoardHandle;
  view: ShotView;
}
