import { Ellipsis, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { type BoardSteps, type RemovedShot, shotTitle, takesOf } from '../../../shared/board/board.ts';
import { t } from '../../../shared/text/texts.ts';
import { useAction, useCall, useKeyHint } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { useKnownMedia } from '../../media/useMedia.ts';
import { toggleLoop, usePlayback } from '../../player/usePlayer.ts';
import {
  Button,
  Dialog,
  formatStamp,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  PriceWords,
  plural,
  Refusal,
  Thumb,
} from '../../ui/index.ts';
import type { UndoDirection } from './model/sync.ts';
import { chargedOf, viewOf } from './model/view.ts';
import { type BoardHandle, selectShot, useBoardView } from './useBoard.ts';
import type { BoardActions } from './useBoardActions.ts';

interface BoardMenuProps {
  projectId: string;
  actions: BoardActions;
  steps: ReturnType<typeof useSteps>;
}

/** Less frequent actions on the film. */
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

/** Undo, named after its change: "Undo: remove shot 4". */
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

/** The names of the changes that undo and redo would make on the saved board. */
export function useSteps({ board }: Pick<BoardHandle, 'board'>): Pick<BoardSteps, 'undo' | 'redo'> {
  const steps = useCall('board.steps', board ? { projectId: board.projectId } : null, { on: ['board.changed'] });
  return steps.data ?? {};
}

export const useRemovedShots = (projectId: string): readonly RemovedShot[] =>
  useCall('board.bin', { projectId }, { on: ['board.changed'] }).data?.shots ?? [];

/** The removed shots, each with its restore. */
export function BinDialog({ projectId, removed }: { projectId: string; removed: readonly RemovedShot[] }) {
  const isOpen = useBoardView((view) => view.isBinOpen);
  const close = () => useBoardView.setState({ isBinOpen: false });
  return (
    <Dialog open={isOpen} onClose={close} title={t`Removed shots`} width={560}>
      {isOpen && <BinList projectId={projectId} removed={removed} />}
    </Dialog>
  );
}

function BinList({ projectId, removed }: { projectId: string; removed: readonly RemovedShot[] }) {
  const shots = useMemo(() => removed.map(({ shot }) => shot), [removed]);
  const refs = useMemo(() => shots.flatMap((shot) => takesOf(shot).map((jobId) => ({ jobId }))), [shots]);
  const media = useKnownMedia(refs);
  const views = useMemo(() => viewOf(shots, media), [shots, media]);
  const { refusal, run } = useAction();
  const putBack = async (shotId: string) => {
    if (!(await run(call('board.restore', { projectId, shotId }))).ok) return;
    selectShot(shotId);
  };
  if (removed.length === 0) return <p className="t2">{t`No removed shots`}</p>;
  return (
    <div className="col gap">
      {views.map(({ shot, takes, active }, index) => {
        const charged = chargedOf(takes);
        const { removedAt = 0 } = removed[index] ?? {};
        const title = shotTitle(shot);
        return (
          <section key={shot.id} className="row" aria-label={title}>
            <Thumb asset={active?.clip} />
            <div className="col grow">
              <span className="cut">{title}</span>
              <span className="t3 cut">
                {plural(takes.length, 'take')}
                {(charged.nano > 0 || charged.unpriced > 0) && (
                  <>
                    {', '}
                    <PriceWords nano={charged.nano} lowNano={charged.lowNano} as="most" unpriced={charged.unpriced} />
                  </>
                )}
                {`, ${formatStamp(removedAt)}`}
              </span>
            </div>
            <Button aria-label={t`Restore “${title}”`} onClick={() => void putBack(shot.id)}>
              {t`Restore`}
            </Button>
          </section>
        );
      })}
      <Refusal text={refusal} />
    </div>
  );
}
