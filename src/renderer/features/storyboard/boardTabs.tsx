import type { ComponentType } from 'react';
import { t } from '../../../shared/texts.ts';
import { type ActionId, lazyPage } from '../../app/index.ts';
import { Inspector } from './inspector/Inspector.tsx';
import type { ShotView } from './model/view.ts';
import { PlayTab } from './PlayTab.tsx';
import { shotMenu } from './shotMenu.ts';
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
const CAST_TAB = {
  Main: lazyPage(async () => ({ default: (await import('./cast/CastTab.tsx')).CastTab })),
  Side: lazyPage(async () => ({ default: (await import('./cast/CastSide.tsx')).CastSide })),
};
const SOUND_TAB = {
  Main: lazyPage(async () => ({ default: (await import('./sound/SoundTab.tsx')).SoundTab })),
  Side: lazyPage(async () => ({ default: (await import('./sound/SoundSide.tsx')).SoundSide })),
};
const CONTINUITY_TAB = {
  Main: lazyPage(async () => ({ default: (await import('./seams/SeamsTab.tsx')).SeamsTab })),
  Side: lazyPage(async () => ({ default: (await import('./seams/SeamsTab.tsx')).SeamsSide })),
};

/** The views of a film, in the order of the bar. */
export const BOARD_TABS: readonly [BoardTab, ...BoardTab[]] = [
  { id: 'board', label: () => t`Board`, ...PLAY_TAB },
  { id: 'shot', label: ({ number }) => t`Shot ${number}`, ...PLAY_TAB },
  { id: 'cast', label: () => t`Cast`, action: 'board.cast', ...CAST_TAB },
  { id: 'sound', label: () => t`Sound`, action: 'board.sound', ...SOUND_TAB },
  { id: 'seams', label: () => t`Continuity`, action: 'board.seams', ...CONTINUITY_TAB },
];

export const boardTab = (id: BoardTabId): BoardTab => BOARD_TABS.find((tab) => tab.id === id) ?? BOARD_TABS[0];
