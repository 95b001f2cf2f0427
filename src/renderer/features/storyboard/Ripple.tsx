import { RotateCcw } from 'lucide-react';
import { shotTitle } from '../../../shared/board.ts';
import { Button, Icon, plural } from '../../ui/index.ts';
import { relink } from './model/joints.ts';
import type { ShotView } from './model/view.ts';
import type { BoardHandle } from './useBoard.ts';

interface RippleProps {
  board: BoardHandle;
  removed: { view: ShotView } | undefined;
  onRestore: () => void;
}

/** One line under the cards: what the last change has moved elsewhere, and the way to mend it. */
export function Ripple({ board, removed, onRestore }: RippleProps) {
  if (removed) {
    const { view } = removed;
    return (
      <div className="ripple" role="status">
        <span className="cut">
          “{shotTitle(view.shot)}” was removed. {view.takes.length > 0 && 'Its takes stay in the library.'}
        </span>
        <span className="grow" />
        <Button onClick={onRestore}>Put it back</Button>
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
      if (active && joint) board.sync.edit(relink(shot, joint.joint, active));
    }
  };
  return (
    <div className="ripple" role="status">
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
