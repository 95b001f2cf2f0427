import { RotateCcw } from 'lucide-react';
import { Button, Icon, plural } from '../../ui/index.ts';
import { relink } from './model/shots.ts';
import type { BoardHandle } from './useBoard.ts';
import type { LastAction } from './useBoardActions.ts';

/** One line under the cards: what was just done, with its undo; else which shots a change has made stale, with the way to mend them. */
export function BoardStatus({ board, done }: { board: BoardHandle; done: LastAction | undefined }) {
  if (done) {
    return (
      <div className="board-status" role="status">
        <span className="cut">{done.text}</span>
        <span className="grow" />
        {done.back && <Button onClick={done.back.onBack}>{done.back.label}</Button>}
      </div>
    );
  }
  const stale = board.shots.filter(({ joint }) => joint?.isStale);
  const [first] = stale;
  const before = first && board.shots[first.number - 2];
  if (!first || !before?.active) return null;
  const unlinked = stale.filter(({ joint }) => !joint?.isLinked);
  const link = () => {
    for (const { shot, number, joint } of unlinked) {
      const active = board.shots[number - 2]?.active;
      if (active && joint) board.sync.edit(relink(shot.id, joint.joint, active));
    }
  };
  return (
    <div className="board-status" role="status">
      <span className="stale-tag">
        <Icon of={RotateCcw} />
        {stale.length} stale
      </span>
      <span className="cut">
        Shot {before.number} plays take {before.active.number}, so shot {first.number} does not start where it ends.
      </span>
      <span className="grow" />
      {unlinked.length > 0 ? (
        <Button onClick={link}>Start {plural(unlinked.length, 'shot')} from there</Button>
      ) : (
        <span className="t3 nw">The next take will.</span>
      )}
    </div>
  );
}
