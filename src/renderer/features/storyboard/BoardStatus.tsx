import { Button } from '../../ui/index.ts';
import styles from './cards.module.css';
import { Ripple } from './joint/Ripple.tsx';
import type { BoardHandle } from './useBoard.ts';
import type { LastAction } from './useBoardActions.ts';

/** One line under the cards: what was just done, with its undo; else what no longer fits together, with what mends it and for how much. */
export function BoardStatus({ board, done }: { board: BoardHandle; done: LastAction | undefined }) {
  if (!done) return <Ripple board={board} />;
  return (
    <div className={styles.boardStatus} role="status">
      <span className="cut">{done.text}</span>
      <span className="grow" />
      {done.back && <Button onClick={done.back.onBack}>{done.back.label}</Button>}
    </div>
  );
}
