import type { ComponentType } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { type ActionId, lazyPage } from '../../app/index.ts';
import { BoardTab } from './BoardTab.tsx';
import { Inspector } from './inspector/Inspector.tsx';
import { shotMenu } from './shotMenu.ts';
import type { BoardTabProps } from './tabProps.ts';
import type { BoardTabId } from './useBoard.ts';

interface TabOfBoard {
  id: BoardTabId;
  label: string;
  /** Opens the tab; the tab shows its shortcut. */
  action: ActionId;
  /** The content under the bar. */
  Main: ComponentType<BoardTabProps>;
  /** The inspector on the right. */
  Side: ComponentType<BoardTabProps>;
}

function ShotSide({ board, shot, take, actions }: BoardTabProps) {
  return <Inspector board={board} view={shot} menu={shotMenu(board, shot, take, actions)} />;
}

/** The views of a film, in the order of the bar. */
export const BOARD_TABS: readonly [TabOfBoard, ...TabOfBoard[]] = [
  { id: 'board', label: t`Board`, action: 'board.whole', Main: BoardTab, Side: ShotSide },
  {
    ...{ id: 'cast', label: t`Cast`, action: 'board.cast' },
    Main: lazyPage(async () => ({ default: (await import('./cast/CastTab.tsx')).CastTab })),
    Side: lazyPage(async () => ({ default: (await import('./cast/CastSide.tsx')).CastSide })),
  },
  {
    ...{ id: 'sound', label: t`Sound`, action: 'board.sound' },
    Main: lazyPage(async () => ({ default: (await import('./sound/SoundTab.tsx')).SoundTab })),
    Side: lazyPage(async () => ({ default: (await import('./sound/SoundTab.tsx')).SoundSide })),
  },
  {
    ...{ id: 'seams', label: t`Continuity`, action: 'board.seams' },
    Main: lazyPage(async () => ({ default: (await import('./seams/SeamsTab.tsx')).SeamsTab })),
    Side: lazyPage(async () => ({ default: (await import('./seams/SeamsTab.tsx')).SeamsSide })),
  },
];

export const boardTab = (id: BoardTabId): TabOfBoard => BOARD_TABS.find((tab) => tab.id === id) ?? BOARD_TABS[0];
