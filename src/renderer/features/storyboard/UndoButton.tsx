import { Undo2 } from 'lucide-react';
import type { BoardSteps } from '../../../shared/board/board.ts';
import { t } from '../../../shared/text/texts.ts';
import { useCall, useKeyHint } from '../../app/index.ts';
import { Icon, IconButton } from '../../ui/index.ts';
import type { UndoDirection } from './model/sync.ts';
import type { BoardHandle } from './useBoard.ts';

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

const STEP_WORDS = { undo: t`Undo`, redo: t`Redo` } as const;
export const stepLabel = (way: UndoDirection, change: string | undefined): string =>
  change === undefined ? STEP_WORDS[way] : `${STEP_WORDS[way]}: ${change}`;

/** What undo and redo would do on the board as it is saved. */
export function useSteps({ board }: Pick<BoardHandle, 'board'>): Pick<BoardSteps, 'undo' | 'redo'> {
  const steps = useCall('board.steps', board ? { projectId: board.projectId } : null, { on: ['board.changed'] });
  return steps.data ?? {};
}
