import { Ellipsis, Undo2 } from 'lucide-react';
import type { BoardSteps } from '../../../shared/board/board.ts';
import { t } from '../../../shared/text/texts.ts';
import { useCall, useKeyHint } from '../../app/index.ts';
import { toggleLoop, usePlayback } from '../../player/usePlayer.ts';
import { Icon, IconButton, Menu, type MenuItem } from '../../ui/index.ts';
import { BinDialog, useRemovedShots } from './Bin.tsx';
import type { UndoDirection } from './model/sync.ts';
import { type BoardHandle, useBoardView } from './useBoard.ts';
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

interface UndoButtonProps {
  steps: Pick<BoardSteps, 'undo'>;
  onStep: (way: UndoDirection) => void;
}

/** Undo, named after what it would do: "Undo: remove shot 4". */
export function UndoButton({ steps: { undo }, onStep }: UndoButtonProps) {
  return (
    <IconButton
      label={stepLabel('undo', undo)}
      tip={useKeyHint('board.undo')}
      off={undo === undefined ? t`Nothing to undo` : undefined}
      onClick={() => onStep('undo')}
    >
      <Icon of={Undo2} />
    </IconButton>
  );
}

export function stepLabel(way: UndoDirection, change: string | undefined): string {
  if (change === undefined) return way === 'undo' ? t`Undo` : t`Redo`;
  return way === 'undo' ? t`Undo: ${change}` : t`Redo: ${change}`;
}

/** What undo and redo would do on the board as it is saved. */
export function useSteps({ board }: Pick<BoardHandle, 'board'>): Pick<BoardSteps, 'undo' | 'redo'> {
  const steps = useCall('board.steps', board ? { projectId: board.projectId } : null, { on: ['board.changed'] });
  return steps.data ?? {};
}
