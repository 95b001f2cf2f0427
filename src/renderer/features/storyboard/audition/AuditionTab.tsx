import { counted, t } from '../../../../shared/texts.ts';
import './audition.css';
import { useEffect, useState } from 'react';
import { Button, EmptyState } from '../../../ui/index.ts';
import { BoardStatus } from '../BoardStatus.tsx';
import { Cards } from '../Cards.tsx';
import { totalSeconds } from '../model/timeline.ts';
import { FilmStrip } from '../player/FilmStrip.tsx';
import { Transport } from '../player/Transport.tsx';
import type { BoardTabProps } from '../tabProps.ts';
import { selectShot, useBoardView } from '../useBoard.ts';
import { AuditionFoot } from './AuditionFoot.tsx';
import { Cells } from './Cells.tsx';
import { Choice } from './Choice.tsx';
import { auditionOff } from './candidates.ts';
import { SyncPlayer } from './syncPlayer.ts';
import { useAudition } from './useAudition.ts';

/** Two to four takes of a shot at the same time, one of them heard: the one that is best is kept. */
export function AuditionTab({ board, shot, actions }: BoardTabProps) {
  const [player] = useState(() => new SyncPlayer());
  useEffect(() => () => player.dispose(), [player]);
  const off = auditionOff(shot);
  const step = (by: 1 | -1) => {
    const next = board.shots[shot.number - 1 + by];
    if (next) selectShot(next.shot.id);
  };
  return (
    <>
      {off ? (
        <NothingToCompare board={board} why={off} />
      ) : (
        <Stage key={shot.shot.id} board={board} shot={shot} player={player} />
      )}
      <Transport player={player} total={totalSeconds(board.shots.map(({ span }) => span))} onShot={step} />
      <FilmStrip board={board} selected={shot} player={player} />
      <div className="strip" data-panel tabIndex={-1}>
        <Cards
          board={board}
          selected={shot}
          onAdd={() => actions.add(board.shots.at(-1))}
          onMove={actions.move}
          onRemove={actions.remove}
        />
        <BoardStatus board={board} done={actions.done} />
      </div>
    </>
  );
}

/** As many as there is room for. */
const MOST_OFFERED = 4;

/** Why the chosen shot has no audition, and the shots that have one. */
function NothingToCompare({ board, why }: Pick<BoardTabProps, 'board'> & { why: string }) {
  const others = board.shots.filter((view) => auditionOff(view) === undefined).slice(0, MOST_OFFERED);
  return (
    <section className="sb-view aud-off" aria-label={t`Audition`}>
      <EmptyState
        title={t`Nothing to compare yet`}
        action={
          <div className="row">
            {others.map(({ shot, number, takes }) => (
              <Button key={shot.id} onClick={() => selectShot(shot.id)}>
                {t`Audition shot ${number}, ${counted(takes.length, 'take')}`}
              </Button>
            ))}
            <Button
              variant={others.length > 0 ? 'ghost' : 'secondary'}
              onClick={() => useBoardView.setState({ tab: 'shot' })}
            >
              {t`Show the shot`}
            </Button>
          </div>
        }
      >
        {why}
      </EmptyState>
    </section>
  );
}

function Stage({ board, shot, player }: Pick<BoardTabProps, 'board' | 'shot'> & { player: SyncPlayer }) {
  const audition = useAudition(board, shot, player);
  return (
    <section className="sb-view aud" aria-label={t`Audition`} data-panel tabIndex={-1}>
      <Cells audition={audition} player={player} shot={shot} />
      <Choice audition={audition} shot={shot} />
      <AuditionFoot audition={audition} />
    </section>
  );
}
