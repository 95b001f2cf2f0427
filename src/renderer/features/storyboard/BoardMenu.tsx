import { Ellipsis } from 'lucide-react';
import { t } from '../../../shared/text/texts.ts';
import { useKeyHint } from '../../app/index.ts';
import { toggleLoop, usePlayback } from '../../player/usePlayer.ts';
import { Icon, IconButton, Menu, type MenuItem } from '../../ui/index.ts';
import { BinDialog, useRemovedShots } from './Bin.tsx';
import { stepLabel, type useSteps } from './UndoButton.tsx';
import { useBoardView } from './useBoard.ts';
import type { BoardActions } from './useBoardActions.ts';

interface BoardMenuProps {
  projectId: string;
  actions: BoardActions;
  steps: ReturnType<typeof useSteps>;
}

/** What is done with the film less often. */
export function BoardMenu({ projectId, actions, steps }: BoardMenuProps) {
  const removed = useRemovedShots(projectId);
  const isLooping = usePlayback(({ loops }) => loops.film);
  const items: MenuItem[] = [
    {
      id: 'redo',
      label: stepLabel('redo', steps.redo),
      kbd: useKeyHint('board.redo'),
      off: steps.redo === undefined ? t`Nothing to redo` : undefined,
      onSelect: () => void actions.step('redo'),
    },
    {
      id: 'loop',
      label: t`Loop the film`,
      kbd: useKeyHint('player.loop'),
      checked: isLooping,
      separated: true,
      onSelect: () => toggleLoop('film'),
    },
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
