import type { KeyboardEvent } from 'react';
import { t } from '../../../../shared/texts.ts';
import styles from '../cards.module.css';
import type { ShotView } from '../model/view.ts';
import { useSeams } from '../seams/useSeams.ts';
import type { BoardHandle } from '../useBoard.ts';
import { JointButton } from './JointButton.tsx';

/**
 * The joints between the cards, one stop of the Tab key: arrows go from one to the next. They are no shots, so they stand beside the list
 * of shots and are only seen between its cards.
 */
export function Joints({ board, selected }: { board: BoardHandle; selected: ShotView | undefined }) {
  const seams = useSeams(board);
  const views = board.shots.filter(({ joint }) => joint !== undefined);
  const stop = views.find(({ shot }) => shot.id === selected?.shot.id) ?? views[0];
  if (views.length === 0) return null;
  return (
    <div className={styles.jointList} role="toolbar" aria-label={t`Joints`} onKeyDown={goByArrows}>
      {views.map((view) => (
        <JointButton
          key={view.shot.id}
          view={view}
          seam={seams.find(({ after }) => after.shot.id === view.shot.id)}
          isTabStop={view === stop}
        />
      ))}
    </div>
  );
}

function goByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step === undefined || event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  buttons[at + step]?.focus();
}
