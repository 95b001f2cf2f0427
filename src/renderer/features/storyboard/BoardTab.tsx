import { t } from '../../../shared/texts.ts';
import { Cards } from './Cards.tsx';
import { ChainDialog } from './joint/Chain.tsx';
import { LinkMenu } from './joint/LinkMenu.tsx';
import { useJointKey } from './joint/useJoint.ts';
import { Notice } from './Notice.tsx';
import { PlayRow } from './player/PlayRow.tsx';
import { Viewer } from './player/Viewer.tsx';
import { useFilmSound } from './sound/useFilmSound.ts';
import styles from './storyboard.module.css';
import { Takes } from './Takes.tsx';
import type { BoardTabProps } from './tabProps.ts';
import { ViewHead } from './ViewHead.tsx';

/** The viewer with the takes of a shot, the film strip, the notice and the cards. */
export function BoardTab({ board, shot, take, actions, player, onPlayer }: BoardTabProps) {
  useJointKey(board, shot);
  const sound = useFilmSound(board);
  return (
    <>
      <div className={styles.view}>
        <ViewHead board={board} shot={shot} take={take} />
        <Viewer board={board} shot={shot} onPlayer={onPlayer} heard={sound} />
        <Takes board={board} shot={shot} take={take} />
      </div>
      <PlayRow board={board} shot={shot} player={player} sound={sound} />
      <section className={styles.strip} data-panel tabIndex={-1} aria-label={t`Shots of the film`}>
        <Notice board={board} shot={shot} actions={actions} />
        <Cards board={board} selected={shot} onRemove={actions.remove} onMove={actions.move} />
        <LinkMenu board={board} />
        <ChainDialog board={board} />
      </section>
    </>
  );
}
