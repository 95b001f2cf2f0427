import { useEffect, useRef, useState } from 'react';
import { isPlayable } from '../../../../shared/film.ts';
import { t } from '../../../../shared/texts.ts';
import { mediaUrl } from '../../../client/index.ts';
import { timecode } from '../../../player/frames.ts';
import type { Player } from '../../../player/player.ts';
import { SeekBar } from '../../../player/SeekBar.tsx';
import { clock, spanAt, tickStep, totalSeconds } from '../model/timeline.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import { useWave } from '../sound/useWave.ts';
import { Wave } from '../sound/Wave.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { playsFilm, selectShot, useBoardView } from '../useBoard.ts';
import styles from './player.module.css';
import { whyNoPicture } from './playlist.ts';
import { useFrames } from './useFrames.ts';

const FRAME_HEIGHT = 46;
const FRAME_WIDTH = (FRAME_HEIGHT * 16) / 9;

interface FilmStripProps {
  board: BoardHandle;
  selected: ShotView | undefined;
  player: Player | undefined;
  /** Whether the sound of the shots is drawn under their frames. */
  withSound?: boolean;
}

/** The board true to time: every shot as wide as it is long, with frames where they are, and the playhead. */
export function FilmStrip({ board, selected, player, withSound = false }: FilmStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const tab = useBoardView((view) => view.tab);
  const width = useWidth(strip);
  const total = totalSeconds(board.shots.map(({ span }) => span));
  const goTo = (seconds: number) => {
    const at = Math.min(Math.max(0, seconds), total);
    const span = spanAt(
      playedShots(board.shots).map((view) => view.span),
      at,
    );
    if (span && span.shotId !== selected?.shot.id) selectShot(span.shotId);
    // The viewer's playlist follows the selection; then the place is there to seek to.
    requestAnimationFrame(() => player?.seek(at));
  };
  return (
    <div className={`${styles.ruler} ${withSound ? styles.withSound : ''}`}>
      <SeekBar
        player={player}
        label={playsFilm(tab) ? t`Time of the board` : t`Time of the shot on the board`}
        total={total}
        textOf={timecode}
        onSeek={goTo}
      >
        <div className={styles.rseg} ref={strip} aria-hidden="true">
          {playedShots(board.shots).map((view) => (
            <Segment
              key={view.shot.id}
              view={view}
              width={total > 0 ? (view.span.seconds / total) * width : 0}
              share={total > 0 ? view.span.seconds / total : 0}
              isSelected={view.shot.id === selected?.shot.id}
              withSound={withSound}
            />
          ))}
        </div>
        <Ticks total={total} width={width} />
      </SeekBar>
    </div>
  );
}

export function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

interface SegmentProps {
  view: ShotView;
  width: number;
  share: number;
  isSelected: boolean;
  withSound: boolean;
}

function Segment({ view, width, share, isSelected, withSound }: SegmentProps) {
  const clip = view.active?.clip;
  const count = Math.max(1, Math.min(24, Math.ceil(width / FRAME_WIDTH)));
  const { frames, isLoading } = useFrames(isPlayable(clip) && width > 0 ? clip.id : undefined, count, FRAME_HEIGHT * 2);
  const ends = [clip?.thumbnailId, clip?.lastFrameId ?? clip?.thumbnailId].filter((id) => id !== undefined);
  const pictures = frames ?? ends.map(mediaUrl);
  const classes = [isSelected && styles.on, view.state.isStale && styles.stale, pictures.length === 0 && styles.none];
  return (
    <i style={{ width: `${share * 100}%` }} className={classes.filter(Boolean).join(' ')}>
      <span className={styles.fsL}>
        {pictures.map((picture, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames are a fixed row in time order; two may be alike.
          <u key={index} style={{ backgroundImage: `url("${picture}")` }} />
        ))}
      </span>
      <b>{view.number}</b>
      {pictures.length === 0 && width > 70 && (
        <span className={styles.noneText}>{isLoading ? t`Loading` : whyNoPicture(view)}</span>
      )}
      {withSound && clip && <SegmentSound view={view} width={width} />}
    </i>
  );
}

/** The measured sound of a shot's clip; dotted where it is switched off. */
function SegmentSound({ view: { active, shot }, width }: { view: ShotView; width: number }) {
  const clip = active?.clip;
  const peaks = useWave(clip);
  const isSilent = clip?.audio === false;
  return (
    <span className={`${styles.rwave} ${shot.ownSound?.isOff ? styles.off : ''}`}>
      {isSilent && width > 60 && t`no sound`}
      {!isSilent && peaks && <Wave peaks={peaks} />}
    </span>
  );
}

function Ticks({ total, width }: { total: number; width: number }) {
  const step = tickStep(total, width);
  const minor = step >= 5 ? step / 5 : step === 1 ? 1 : step / 2;
  const count = total > 0 ? Math.min(400, Math.floor(total / minor)) : 0;
  return (
    <div className={`num ${styles.tick}`} aria-hidden="true">
      {Array.from({ length: count + 1 }, (_, index) => index * minor).map((at) => {
        const isMain = Math.abs(at / step - Math.round(at / step)) < 1e-6;
        return (
          <i key={at} style={{ left: `${total > 0 ? (at / total) * 100 : 0}%` }} className={isMain ? styles.m : ''}>
            {isMain && <span>{clock(at)}</span>}
          </i>
        );
      })}
    </div>
  );
}
