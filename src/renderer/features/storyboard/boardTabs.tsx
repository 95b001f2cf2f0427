import type { ComponentType } from 'react';
import { t } from '../../../shared/texts.ts';
import type { ActionId } from '../../app/index.ts';
import { CastSide } from './cast/CastSide.tsx';
import { CastTab } from './cast/CastTab.tsx';
import { Inspector } from './inspector/Inspector.tsx';
import type { ShotView } from './model/view.ts';
import { PlayTab } from './PlayTab.tsx';
import { SeamsSide, SeamsTab } from './seams/SeamsTab.tsx';
import { shotMenu } from './shotMenu.ts';
import { SoundSide } from './sound/SoundSide.tsx';
import { SoundTab } from './sound/SoundTab.tsx';
import type { BoardTabProps } from './tabProps.ts';
import type { BoardTabId } from './useBoard.ts';

interface BoardTab {
  id: BoardTabId;
  label: (shot: ShotView) => string;
  /** Opens it; its key is printed on the tab. */
  action?: ActionId;
  /** Under the bar. Tabs with the same component keep it, with what it plays. */
  Main: ComponentType<BoardTabProps>;
  /** The inspector at the right, if the tab has one. */
  Side?: ComponentType<BoardTabProps>;
}

function ShotSide({ board, shot, take, actions }: BoardTabProps) {
  return <Inspector board={board} view={shot} menu={shotMenu(board, shot, take, actions)} />;
}

const PLAY_TAB = { Main: PlayTab, Side: ShotSide };

/** The views of a film, in the order of the bar. */
export const BOARD_TABS: readonly [BoardTab, ...BoardTab[]] = [
  { id: 'board', label: () => t`Board`, ...PLAY_TAB },
  { id: 'shot', label: ({ number }) => t`Shot ${number}`, ...PLAY_TAB },
  { id: 'cast', label: () => t`Cast`, action: 'board.cast', Main: CastTab, Side: CastSide },
  { id: 'sound', label: () => t`Sound`, action: 'board.sound', Main: SoundTab, Side: SoundSide },
  { id: 'seams', label: () => t`Seams`, action: 'board.seams', Main: SeamsTab, Side: SeamsSide },
];

export const boardTab = (id: BoardTabId): BoardTab => BOARD_TABS.find((tab) => tab.id === id) ?? BOARD_TABS[0];
