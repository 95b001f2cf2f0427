import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isPlayable, playedOf, takeEnd } from '../../../../shared/film/film.ts';
import { isTerminal } from '../../../../shared/jobs/job.ts';
import { t } from '../../../../shared/text/texts.ts';
import { mediaUrl } from '../../../client/index.ts';
import { timecode } from '../../../player/frames.ts';
import type { Player } from '../../../player/player.ts';
import { SeekBar } from '../../../player/SeekBar.tsx';
import { ProgressBar } from '../../../ui/index.ts';
import { useFrames } from '../ClipPicture.tsx';
import { spanAt, totalSeconds } from '../model/timeline.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import { type BoardHandle, selectShot } from '../useBoard.ts';
import styles from './player.module.css';

const FRAME_HEIGHT = 40;
const FRAME_WIDTH = (FRAME_HEIGHT * 16) / 9;

interface FilmStripProps {
  board: BoardHandle;
  selected: ShotView;
  player: Player | undefined;
  /** Content on top of the strip. */
  children?: ReactNode;
}

/** The film to scale: shots as wide as they are long, with frames in place, and the playhead. */
export function FilmStrip({ board, selected, player, children }: FilmStripProps) {
  const total = totalSeconds(board.shots.map(({ span }) => span));
  const played = playedShots(board.shots);
  const goTo = (seconds: number) => {
    const at = Math.min(Math.max(0, seconds), total);
    const span = spanAt(
      played.map((view) => view.span),
      at,
    );
    if (span && span.shotId !== selected.shot.id) selectShot(span.shotId);
    // The viewer's playlist first follows the selection; then the position exists.
    requestAnimationFrame(() => player?.seek(at));
  };
  return (
    <div className={styles.ruler}>
      <SeekBar player={player} label={t`Time of the film`} total={total} textOf={timecode} onSeek={goTo}>
        <FilmShots shots={board.shots} selected={selected.shot.id} />
      </SeekBar>
      {children}
    </div>
  );
}

interface FilmShotsProps {
  shots: readonly ShotView[];
  selected?: string;
  /** A mark on a shot. */
  markOf?: (view: ShotView) => ReactNode;
}

/** The shots of the film, each as wide as it is long, with frames in place. */
export function FilmShots({ shots, selected, markOf }: FilmShotsProps) {
  const strip = useRef<HTMLDivElement>(null);
  const width = useWidth(strip);
  const total = totalSeconds(shots.map(({ span }) => span));
  return (
    <div className={styles.rseg} ref={strip} aria-hidden="true">
      {playedShots(shots).map((view) => (
        <Segment
          key={view.shot.id}
          view={view}
          width={total > 0 ? (view.span.seconds / total) * width : 0}
          isSelected={view.shot.id === selected}
          mark={markOf?.(view)}
        />
      ))}
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
  isSelected: boolean;
  mark: ReactNode;
}

function Segment({ view, width, isSelected, mark }: SegmentProps) {
  const { takes, active, number, state } = view;
  const clip = active?.clip;
  const count = Math.max(1, Math.min(24, Math.ceil(width / FRAME_WIDTH)));
  const { frames } = useFrames(
    isPlayable(clip) && width > 0 ? clip.id : undefined,
    count,
    FRAME_HEIGHT * 2,
    playedOf(active),
  );
  const ends = [clip?.thumbnailId, takeEnd(active) ?? clip?.thumbnailId].filter((id) => id !== undefined);
  const pictures = frames ?? ends.map(mediaUrl);
  const latest = takes.at(-1)?.job;
  return (
    <i
      style={{ flexGrow: view.span.seconds }}
      className={isSelected ? styles.on : undefined}
      data-look={clip ? (state.isStale ? 'stale' : undefined) : takes.length > 0 ? 'job' : 'none'}
    >
      {pictures.map((picture, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames are a fixed row in time order; two may be alike.
        <u key={index} style={{ backgroundImage: `url("${picture}")` }} />
      ))}
      <b className="ov tl">{number}</b>
      {mark && <em>{mark}</em>}
      {latest && !isTerminal(latest.state) && <ProgressBar percent={latest.progress} />}
    </i>
  );
}
