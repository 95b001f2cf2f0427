import { useEffect, useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { ActionButton, announce, useShortcut } from '../../../app/index.ts';
import { SyncPlayer } from '../../../player/syncPlayer.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import { useFilmSound } from '../sound/useFilmSound.ts';
import type { BoardTabProps } from '../tabProps.ts';
import { selectShot, useBoardView } from '../useBoard.ts';
import { SeamGraphs } from './SeamGraphs.tsx';
import { SeamPictures } from './SeamPictures.tsx';
import { SeamSide } from './SeamSide.tsx';
import { SeamTiles } from './SeamTiles.tsx';
import { SeamTransport } from './SeamTransport.tsx';
import styles from './seams.module.css';
import { type SeamView, seamOfShot, useSeams } from './useSeams.ts';

/** The links of the film, measured: where it jumps, and what can be done about it. */
export function SeamsTab({ board, shot }: BoardTabProps) {
  const [player] = useState(() => new SyncPlayer());
  useEffect(() => () => player.dispose(), [player]);
  const sound = useFilmSound(board);
  const seams = useSeams(board);
  const seam = seamOfShot(seams, shot);
  if (!seam) {
    return (
      <section className={styles.seamsOff} aria-label={t`Continuity`}>
        <EmptyState
          title={t`No link yet`}
          action={<Button onClick={() => useBoardView.setState({ tab: 'board' })}>{t`Show the board`}</Button>}
        >
          {t`Add a second shot: continuity is checked between two shots.`}
        </EmptyState>
      </section>
    );
  }
  return (
    <div className={styles.main}>
      <SeamKeys seams={seams} seam={seam} />
      <SeamPictures key={seam.after.shot.id} view={seam} player={player} heard={sound} />
      <SeamTransport player={player} sound={sound} />
      <SeamGraphs view={seam} player={player} />
      <SeamTiles seams={seams} selected={seam} />
    </div>
  );
}

/** The counts of the film, and the way to the next jump. */
function SeamKeys({ seams, seam }: { seams: readonly SeamView[]; seam: SeamView }) {
  const at = seams.indexOf(seam);
  const show = (next: SeamView | undefined) => {
    if (!next) return;
    selectShot(next.after.shot.id);
    announce(t`Link ${next.before.number} to ${next.after.number}: ${next.verdict}`);
  };
  const nextJump = () => {
    const ahead = [...seams.slice(at + 1), ...seams.slice(0, at + 1)];
    const jump = ahead.find(({ verdict }) => verdict === 'jumps');
    if (jump) show(jump);
    else announce(t`No link of the film jumps.`);
  };
  useShortcut('board.frameBack', () => show(seams[at - 1]));
  useShortcut('board.frameForward', () => show(seams[at + 1]));
  const count = (verdict: SeamView['verdict']) => seams.filter((view) => view.verdict === verdict).length;
  return (
    <div className="bar sub">
      <span className="t3 grow" aria-live="polite">
        {t`${count('meets')} meet, ${count('jumps')} jump, ${count('meant')} meant as cuts, ${count('not measured')} not measured`}
      </span>
      <ActionButton variant="ghost" action="seams.nextJump" onDo={nextJump}>
        {t`Next jump`}
      </ActionButton>
    </div>
  );
}

/** The inspector of the link. */
export function SeamsSide({ board, shot }: BoardTabProps) {
  const seams = useSeams(board);
  const seam = seamOfShot(seams, shot);
  return seam ? (
    <SeamSide key={seam.after.shot.id} board={board} view={seam} />
  ) : (
    <aside className="panel" aria-label={t`Link`} />
  );
}
