import { Repeat } from 'lucide-react';
import { useEffect, useState } from 'react';
import { takeEnd } from '../../../../shared/film/film.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { ActionButton, ActionChoice, announce, useKeyHint, useShortcut } from '../../../app/index.ts';
import { frameAt } from '../../../player/frames.ts';
import { MuteButton, PlayButtons, Rate } from '../../../player/PlayButtons.tsx';
import playerStyles from '../../../player/player.module.css';
import { SyncPlayer } from '../../../player/syncPlayer.ts';
import { toggleLoop, usePlayback, usePlayer, usePlayerState } from '../../../player/usePlayer.ts';
import { AssetImage, Button, EmptyState, Icon } from '../../../ui/index.ts';
import { LINK_NAMES } from '../link/linkChoices.ts';
import { useFilmSound } from '../sound/useFilmSound.ts';
import type { BoardTabProps } from '../tabProps.ts';
import { selectShot } from '../useBoard.ts';
import { TITLES } from './Findings.tsx';
import { SeamGraphs } from './SeamGraphs.tsx';
import { SeamPictures } from './SeamPictures.tsx';
import { SeamSide } from './SeamSide.tsx';
import { type SeamView, seamOfShot, useSeams, useSeamView } from './seam.ts';
import styles from './seams.module.css';

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
        <EmptyState title={t`No link yet`}>{t`Add a second shot.`}</EmptyState>
      </section>
    );
  }
  return (
    <div className={styles.main}>
      <SeamKeys seams={seams} seam={seam} />
      <SeamPictures key={seam.after.shot.id} view={seam} player={player} heard={sound} />
      <SeamTransport player={player} />
      <SeamGraphs view={seam} player={player} />
      <SeamTiles seams={seams} selected={seam} />
    </div>
  );
}

/** The counts of the film, and a button to the next jump. */
function SeamKeys({ seams, seam }: { seams: readonly SeamView[]; seam: SeamView }) {
  const at = seams.indexOf(seam);
  const show = (next: SeamView | undefined) => {
    if (!next) return;
    selectShot(next.after.shot.id);
    announce(t`Link ${next.before.number} to ${next.after.number}: ${TITLES[next.verdict]}`);
  };
  const nextJump = () => {
    const ahead = [...seams.slice(at + 1), ...seams.slice(0, at + 1)];
    const jump = ahead.find(({ verdict }) => verdict === 'jumps');
    if (jump) show(jump);
    else announce(t`No jumps in the film.`);
  };
  useShortcut('board.frameBack', () => show(seams[at - 1]));
  useShortcut('board.frameForward', () => show(seams[at + 1]));
  const jumps = seams.filter(({ verdict }) => verdict === 'jumps');
  return (
    <div className="bar sub">
      <span className="t3 grow" aria-live="polite">
        {t`${counted(jumps.length, 'jump')} in the film`}
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

/** Every link of the film, and whether it jumps. */
function SeamTiles({ seams, selected }: { seams: readonly SeamView[]; selected: SeamView }) {
  return (
    <section className={styles.jstrip} aria-label={t`Links`} data-panel tabIndex={-1}>
      {seams.map((view) => (
        <Tile key={view.after.shot.id} view={view} isSelected={view === selected} />
      ))}
    </section>
  );
}

function Tile({ view, isSelected }: { view: SeamView; isSelected: boolean }) {
  const { before, after, verdict } = view;
  const clip = before.active?.clip;
  const end = takeEnd(before.active);
  return (
    <button
      type="button"
      className={`${styles.jtile} ${isSelected ? styles.sel : ''}`}
      aria-pressed={isSelected}
      onClick={() => selectShot(after.shot.id)}
    >
      <span className={`row ${styles.jh}`}>
        <b>{t`${before.number} to ${after.number}`}</b>
        <span className="t2">{LINK_NAMES[after.link?.kind ?? 'cut']}</span>
        <span className="grow" />
        {after.link?.isStale ? (
          <span className="stale-tag">{t`Outdated`}</span>
        ) : (
          <span className="t3">{TITLES[verdict]}</span>
        )}
      </span>
      <span className={styles.jp}>
        <AssetImage asset={clip && end !== undefined ? { ...clip, thumbnailId: end } : clip} alt="" />
        <AssetImage asset={after.active?.clip} alt="" />
      </span>
    </button>
  );
}

const MODES = [
  { value: 'pair', label: t`Pair`, action: 'seams.pair' },
  { value: 'wipe', label: t`Wipe`, action: 'seams.wipe' },
  { value: 'difference', label: t`Difference`, action: 'seams.difference' },
  { value: 'flicker', label: t`Flicker`, action: 'seams.flicker' },
] as const;

/** Plays around the link, and chooses how its frames are shown. */
function SeamTransport({ player }: { player: SyncPlayer }) {
  const { seconds } = usePlayerState(player);
  const isLooping = usePlayback(({ loops }) => loops.link);
  const loopHint = useKeyHint('player.loop');
  usePlayer(player, 'link');
  const frames = frameAt(seconds);
  return (
    <div className={playerStyles.transport} role="toolbar" aria-label={t`Player`}>
      <span className={`mono ${playerStyles.tc}`}>{frames < 0 ? `−${-frames}` : `${frames}`}</span>
      <span className={`t3 ${styles.fromSeam}`}>{t`Frames from the link`}</span>
      <PlayButtons player={player} />
      <Button variant="ghost" aria-pressed={isLooping} kbd={loopHint} onClick={() => toggleLoop('link')}>
        <Icon of={Repeat} />
        {t`Loop ±1 s`}
      </Button>
      <Rate player={player} />
      <span className="grow" />
      <MuteButton />
      <ActionChoice
        small
        aria-label={t`Compare`}
        value={useSeamView((view) => view.mode)}
        onValue={(mode) => useSeamView.setState({ mode })}
        options={MODES}
      />
    </div>
  );
}
