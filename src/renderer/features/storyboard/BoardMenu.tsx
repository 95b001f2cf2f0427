import { Ellipsis } from 'lucide-react';
import { t } from '../../../shared/text/texts.ts';
import { useKeyHint, useShortcut } from '../../app/index.ts';
import type { Player } from '../../player/player.ts';
import { toggleLoop, usePlayback } from '../../player/usePlayer.ts';
import { Icon, IconButton, Menu, type MenuItem } from '../../ui/index.ts';
import { BinDialog, useRemovedShots } from './Bin.tsx';
import { playedShots, type ShotView } from './model/view.ts';
import { nearestJoint } from './player/playItem.ts';
import { stepLabel, type useSteps } from './UndoButton.tsx';
import { loopJoint, useBoardView } from './useBoard.ts';
import type { BoardActions } from './useBoardActions.ts';

interface BoardMenuProps {
  projectId: string;
  shots: readonly ShotView[];
  player: Player | undefined;
  actions: BoardActions;
  steps: ReturnType<typeof useSteps>;
}

/** What is done with the film less often. */
export function BoardMenu({ projectId, shots, player, actions, steps }: BoardMenuProps) {
  const removed = useRemovedShots(projectId);
  const isLooping = usePlayback(({ loops }) => loops.film);
  const link = useLoopedLink(player, shots);
  const items: MenuItem[] = [
    {
      id: 'redo',
      label: stepLabel('redo', steps.redo),
      kbd: useKeyHint('board.redo'),
      off: steps.redo === undefined ? t`Nothing to redo` : undefined,
      onSelect: () => void actions.step('redo'),
    },
    { id: 'loop', label: t`Loop the film`, checked: isLooping, separated: true, onSelect: () => toggleLoop('film') },
    { id: 'link', label: t`Loop the nearest link`, ...link },
    {
      id: 'import',
      label: t`Import shots`,
      separated: true,
      onSelect: () => useBoardView.setState({ isImporting: true }),
    },
    {
      id: 'bin',
      label: t`Removed shots: ${removed.length}`,
      onSelect: () => useBoardView.setState({ isBinOpen: true }),
    },
  ];
  return (
    <>
      <Menu
        label={t`Film`}
        items={items}
        trigger={
          <IconButton label={t`Film menu`}>
            <Icon of={Ellipsis} />
          </IconButton>
        }
      />
      <BinDialog projectId={projectId} removed={removed} />
    </>
  );
}

/** A second before and after the nearest link, again and again; off where the film has none. */
function useLoopedLink(player: Player | undefined, shots: readonly ShotView[]) {
  const looped = useBoardView((view) => view.loopedJoint);
  const spans = playedShots(shots).map(({ span }) => span);
  const hasLink = spans.length > 1;
  const toggle = () => loopJoint(looped === undefined ? nearestJoint(spans, player?.state().seconds ?? 0) : undefined);
  const kbd = useShortcut('board.loopJoint', toggle, hasLink);
  return { kbd, checked: looped !== undefined, off: hasLink ? undefined : t`No link yet`, onSelect: toggle };
}
