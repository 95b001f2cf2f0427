import { useCallback, useState } from 'react';
import type { Shot } from '../../../shared/board.ts';
import { isTerminal } from '../../../shared/job.ts';
import { useShortcut } from '../../app/index.ts';
import { Button, EmptyState, ErrorBox, LoadingBars, type MenuItem, Tabs } from '../../ui/index.ts';
import { BinButton } from './Bin.tsx';
import { BoardStatus } from './BoardStatus.tsx';
import { Cards } from './Cards.tsx';
import { FrameOffer } from './FrameOffer.tsx';
import { Inspector } from './inspector/Inspector.tsx';
import { clipRefOf, lastFrameOf } from './model/joints.ts';
import { continuation, duplicateOf, extension, moveShot, patchConfig } from './model/shots.ts';
import { seedOf, type TakeView } from './model/take.ts';
import { totalSeconds } from './model/timeline.ts';
import type { ShotView } from './model/view.ts';
import { TakePrice } from './NoProject.tsx';
import type { ClipPlayer } from './player/clipPlayer.ts';
import { FilmStrip } from './player/FilmStrip.tsx';
import { Transport } from './player/Transport.tsx';
import { usePlayerValue, Viewer } from './player/Viewer.tsx';
import { Takes } from './Takes.tsx';
import { type BoardHandle, selectShot, useBoard, useBoardView } from './useBoard.ts';
import { type BoardActions, useBoardActions } from './useBoardActions.ts';
import { useBoardCommands } from './useBoardCommands.ts';

/** One project's board. */
export function BoardPage({ projectId }: { projectId: string }) {
  const board = useBoard(projectId);
  const actions = useBoardActions(board);
  useBoardCommands({ add: () => actions.add(board.shots.at(-1)), step: (way) => void actions.step(way) });
  if (!board.board) {
    return (
      <div className="sb-blank">
        {board.error ? (
          <ErrorBox
            title={board.error.message}
            cures={[{ label: 'Try again', onCure: () => void board.sync.load() }]}
          />
        ) : (
          <LoadingBars rows={6} label="The board is being read" />
        )}
      </div>
    );
  }
  if (board.shots.length === 0) return <NoShots board={board} actions={actions} />;
  return <OpenBoard board={board} actions={actions} />;
}

function NoShots({ board, actions }: { board: BoardHandle; actions: BoardActions }) {
  return (
    <section className="sb-blank" aria-label="Board" data-panel tabIndex={-1}>
      <EmptyState
        title="No shot yet"
        action={
          <Button variant="primary" onClick={() => actions.add(undefined)}>
            Add the first shot
          </Button>
        }
      >
        Add a shot and write what it shows. <TakePrice />
      </EmptyState>
      {board.board && <BinButton projectId={board.board.projectId} />}
      <BoardStatus board={board} done={actions.done} />
    </section>
  );
}

function OpenBoard({ board, actions }: { board: BoardHandle; actions: BoardActions }) {
  const { shotId, takes, mode } = useBoardView();
  const [player, setPlayer] = useState<ClipPlayer>();
  const onPlayer = useCallback((next: ClipPlayer | undefined) => setPlayer(next), []);
  const playing = usePlayerValue(player, (state) => (state.isPlaying ? state.shotId : undefined));
  const chosen = mode === 'board' && playing ? playing : shotId;
  const shot = board.shots.find((view) => view.shot.id === chosen) ?? board.shots[0];
  const picked = shot && takes[shot.shot.id];
  const take = shot?.takes.find(({ jobId }) => jobId === picked) ?? shot?.active ?? shot?.takes.at(-1);
  useMoveKeys(board, shot);
  if (!shot) return null;
  const total = totalSeconds(board.shots.map(({ span }) => span));
  const step = (by: 1 | -1) => {
    const next = board.shots[shot.number - 1 + by];
    if (!next) return;
    selectShot(next.shot.id);
    if (mode === 'board') player?.seek(next.span.start);
  };
  return (
    <>
      <div className="sb-main" data-panel tabIndex={-1}>
        <BoardBar shot={shot} board={board} />
        <div className="sb-view">
          <Viewer board={board} shot={shot} take={take} onPlayer={onPlayer} />
          <Takes board={board} shot={shot} take={take} />
        </div>
        <Transport player={player} total={total} onShot={step} />
        <FilmStrip board={board} selected={shot} player={player} />
        <div className="strip" data-panel tabIndex={-1}>
          <Cards
            board={board}
            selected={shot}
            onAdd={() => actions.add(board.shots.at(-1))}
            onRemove={actions.remove}
          />
          <FrameOffer board={board} view={shot} />
          <BoardStatus board={board} done={actions.done} />
        </div>
      </div>
      <Inspector board={board} view={shot} menu={shotMenu(board, shot, take, actions)} />
    </>
  );
}

/** What the viewer plays, and what the page has to say about itself. */
function BoardBar({ shot, board }: { shot: ShotView; board: BoardHandle }) {
  const { mode, isTakesOpen } = useBoardView();
  return (
    <div className="bar">
      <Tabs
        aria-label="What plays"
        value={mode}
        onValue={(next) => useBoardView.setState({ mode: next })}
        items={[
          { value: 'board', label: 'Whole board' },
          { value: 'shot', label: `Shot ${shot.number}` },
        ]}
      />
      <span className="grow" />
      {board.error && board.unsaved > 0 && (
        <Button variant="ghost" onClick={() => void board.sync.flush()}>
          Not saved: {board.error.message} Try again
        </Button>
      )}
      {board.board && <BinButton projectId={board.board.projectId} />}
      <Button
        variant="ghost"
        className="takes-tab"
        aria-pressed={isTakesOpen}
        onClick={() => useBoardView.setState({ isTakesOpen: !isTakesOpen })}
      >
        Takes <span className="t3">{shot.takes.length}</span>
      </Button>
    </div>
  );
}

function useMoveKeys(board: BoardHandle, shot: ShotView | undefined): void {
  const move = (by: number) => shot && board.sync.edit(moveShot(shot.shot.id, shot.number - 1 + by));
  useShortcut('board.moveEarlier', () => move(-1));
  useShortcut('board.moveLater', () => move(1));
}

function shotMenu(board: BoardHandle, view: ShotView, take: TakeView | undefined, actions: BoardActions): MenuItem[] {
  const { shot } = view;
  const seed = seedOf(take);
  return [
    ...followingItems(shot, take, actions),
    { id: 'add', label: 'Add a shot after it', separated: true, onSelect: () => actions.add(view) },
    {
      id: 'duplicate',
      label: 'Duplicate',
      onSelect: () => actions.insert(duplicateOf(shot, crypto.randomUUID()), shot.id),
    },
    {
      id: 'seed',
      label: 'Use the seed of this take',
      off: seed === undefined ? 'no seed of it is known' : undefined,
      onSelect: () => board.sync.edit(patchConfig(shot.id, { seed })),
    },
    ...moveItems(board, view),
    {
      id: 'removeTake',
      label: take ? `Remove take ${take.number}` : 'Remove the take',
      off: whyKept(take),
      separated: true,
      onSelect: () => take && actions.removeTake(view, take),
    },
    {
      id: 'remove',
      label: 'Remove the shot',
      danger: true,
      kbd: 'Del',
      onSelect: () => actions.remove(view),
    },
  ];
}

/** A next shot that is made from this take. */
function followingItems(shot: Shot, take: TakeView | undefined, actions: BoardActions): MenuItem[] {
  const needsTake = take?.job && !['failed', 'canceled'].includes(take.job.state) ? undefined : 'make a take first';
  const next = (make: (id: string, take: TakeView) => Shot) => () => {
    if (take) actions.insert(make(crypto.randomUUID(), take), shot.id);
  };
  const model = take?.job?.model ?? shot.model;
  return [
    {
      id: 'continue',
      label: 'Next shot from its last frame',
      off: needsTake,
      onSelect: next((id, from) => continuation(id, shot, lastFrameOf(from))),
    },
    {
      id: 'extend',
      label: 'Next shot extends this take',
      off: needsTake,
      onSelect: next((id, from) => extension(id, shot, clipRefOf(from), model)),
    },
  ];
}

function moveItems(board: BoardHandle, { shot, number }: ShotView): MenuItem[] {
  return [
    {
      id: 'earlier',
      label: 'Move earlier',
      kbd: 'Alt ←',
      off: number === 1 ? 'it is the first' : undefined,
      onSelect: () => board.sync.edit(moveShot(shot.id, number - 2)),
    },
    {
      id: 'later',
      label: 'Move later',
      kbd: 'Alt →',
      off: number === board.shots.length ? 'it is the last' : undefined,
      onSelect: () => board.sync.edit(moveShot(shot.id, number)),
    },
  ];
}

/** What is still being made, or is in doubt, costs money: it is not put out of sight. */
function whyKept(take: TakeView | undefined): string | undefined {
  if (!take) return 'there is none';
  if (take.job?.state === 'uncertain') return 'it is in doubt';
  return take.job && !isTerminal(take.job.state) ? 'cancel it first' : undefined;
}
