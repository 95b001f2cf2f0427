import { BoardStatus } from './BoardStatus.tsx';
import { Cards } from './Cards.tsx';
import cardsStyles from './cards.module.css';
import { FrameOffer } from './FrameOffer.tsx';
import { ChainDialog } from './joint/Chain.tsx';
import { JointPopover } from './joint/JointPopover.tsx';
import { useJointKey } from './joint/useJoint.ts';
import { FilmStrip } from './player/FilmStrip.tsx';
import { LoopJoint } from './player/LoopJoint.tsx';
import { PlaybackLevels } from './player/PlaybackLevels.tsx';
import { Transport } from './player/Transport.tsx';
import { Viewer } from './player/Viewer.tsx';
import { HeardAs } from './sound/HeardAs.tsx';
import { useFilmSound } from './sound/useFilmSound.ts';
import storyboardStyles from './storyboard.module.css';
import { Takes } from './Takes.tsx';
import type { BoardTabProps } from './tabProps.ts';
import { playsFilm, selectShot, useBoardView } from './useBoard.ts';

/** The viewer with the takes of a shot, the film strip and the cards: one take, or the whole board. */
export function PlayTab({ board, shot, take, actions, player, onPlayer }: BoardTabProps) {
  const tab = useBoardView((view) => view.tab);
  useJointKey(board, shot);
  const sound = useFilmSound(board);
  const step = (by: 1 | -1) => {
    const next = board.shots[shot.number - 1 + by];
    if (next) selectShot(next.shot.id);
  };
  return (
    <>
      <div className={storyboardStyles.view}>
        <Viewer board={board} shot={shot} take={take} onPlayer={onPlayer} heard={sound} />
        <Takes board={board} shot={shot} take={take} />
      </div>
      <Transport player={player} total={sound.total} onShot={step}>
        {playsFilm(tab) && <HeardAs sound={sound} />}
        <PlaybackLevels player={player} />
        <LoopJoint player={player} shots={sound.shots} />
      </Transport>
      <FilmStrip board={board} selected={shot} player={player} withSound />
      <div className={cardsStyles.strip} data-panel tabIndex={-1}>
        <Cards
          board={board}
          selected={shot}
          onAdd={() => actions.add(board.shots.at(-1))}
          onRemove={actions.remove}
          onMove={actions.move}
        />
        <FrameOffer board={board} view={shot} />
        <BoardStatus board={board} done={actions.done} />
        <JointPopover board={board} />
        <ChainDialog board={board} />
      </div>
    </>
  );
}
