import { SkipBack, SkipForward } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { LEAST_TRIM_MS } from '../../../../shared/film/trim.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, useShortcut } from '../../../app/index.ts';
import { FPS, frameAt, timecode, timeOfFrame } from '../../../player/frames.ts';
import { LoopAndMute, MuteButton, PlayButtons, Rate } from '../../../player/PlayButtons.tsx';
import playerStyles from '../../../player/player.module.css';
import type { Player } from '../../../player/player.ts';
import { usePlayer, usePlayerState } from '../../../player/usePlayer.ts';
import { formatLength, Icon, IconButton, toast } from '../../../ui/index.ts';
import { clock } from '../model/timeline.ts';
import { LEAST_FRAMES, type TrimFrames, trimFrames, trimTake, WHOLE } from '../model/trimEdits.ts';
import type { ShotView } from '../model/view.ts';
import type { FilmSound } from '../sound/useFilmSound.ts';
import type { BoardHandle } from '../useBoard.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import { FilmStrip } from './FilmStrip.tsx';
import styles from './player.module.css';
import { TrimHandle } from './TrimHandle.tsx';

interface TransportProps {
  player: Player | undefined;
  /** Length of the board, in seconds. */
  total: number;
  onShot: (step: 1 | -1) => void;
  /** Controls of this player besides the switches. */
  children?: ReactNode;
}

export function Transport({ player, total, onShot, children }: TransportProps) {
  const { seconds } = usePlayerState(player);
  usePlayer(player, 'film');
  useFilmKeys(player, total);
  return (
    <div className={playerStyles.transport} role="toolbar" aria-label={t`Player`}>
      <span className={`mono ${playerStyles.tc}`} role="timer" aria-label={t`Time`}>
        {timecode(seconds)}
      </span>
      <span className="t3 mono">/ {timecode(total)}</span>
      <IconButton label={t`Previous shot`} onClick={() => onShot(-1)}>
        <Icon of={SkipBack} />
      </IconButton>
      <PlayButtons player={player} />
      <IconButton label={t`Next shot`} onClick={() => onShot(1)}>
        <Icon of={SkipForward} />
      </IconButton>
      {/* Temporary controls come after the buttons, so that no button moves. */}
      <Rate player={player} />
      <span className="grow" />
      {children}
      <LoopAndMute of="film" />
    </div>
  );
}

/** Arrows a frame, Shift and arrows a second, Home and End. */
export function useFilmKeys(player: Player | undefined, total: number): void {
  useShortcut('board.frameBack', () => player?.step(-1));
  useShortcut('board.frameForward', () => player?.step(1));
  useShortcut('board.secondBack', () => player?.step(-FPS));
  useShortcut('board.secondForward', () => player?.step(FPS));
  useShortcut('board.start', () => player?.seek(0));
  useShortcut('board.end', () => player?.seek(total));
}

interface PlayRowProps {
  board: BoardHandle;
  shot: ShotView;
  player: ClipPlayer | undefined;
  sound: FilmSound;
}

/** Plays the film, and shows the current time. */
export function PlayRow({ board, shot, player, sound: { total } }: PlayRowProps) {
  usePlayer(player, 'film');
  useFilmKeys(player, total);
  return (
    <div className={`${playerStyles.transport} ${styles.playRow}`} role="toolbar" aria-label={t`Player`}>
      <PlayButtons player={player} />
      <Time player={player} total={total} />
      <FilmStrip board={board} selected={shot} player={player}>
        <ShotTrim board={board} shot={shot} player={player} total={total} />
      </FilmStrip>
      <MuteButton />
    </div>
  );
}

/** The timecode is announced and shown on hover; an unusual rate is shown in place of the length. */
function Time({ player, total }: { player: ClipPlayer | undefined; total: number }) {
  const { seconds } = usePlayerState(player);
  return (
    <span className={`nums ${styles.filmTime}`} role="timer" aria-label={t`Time`} title={timecode(seconds)}>
      <b>{clock(seconds)}</b> <Rate player={player} />
      <span className="t2">/ {formatLength(total)}</span>
    </span>
  );
}

interface ShotTrimProps {
  board: BoardHandle;
  shot: ShotView;
  player: ClipPlayer | undefined;
  /** Length of the film, in seconds. */
  total: number;
}

/** In and out point of the selected take: shortcuts at the playhead, and handles at the ends of its shot in the film strip. */
function ShotTrim({ board, shot, player, total }: ShotTrimProps) {
  const { active, span, number } = shot;
  const frames = trimFrames(active);
  const isTrimmed = active?.trim !== undefined;
  const seek = useSeekAfterTrim(player, shot);
  const trim = (next: TrimFrames) => active && board.sync.edit(trimTake(shot.shot.id, active, next));
  const mark = (end: 'in' | 'out') => {
    if (!frames || !player) return;
    const seen = frames.in + frameAt(player.state().seconds - span.start);
    const next = end === 'in' ? { ...frames, in: seen } : { ...frames, out: seen + 1 };
    if (next.out - next.in < LEAST_FRAMES)
      return toast({ text: t`At least ${LEAST_TRIM_MS} ms of the take must play.` });
    trim(next);
    announce(t`Shot ${number} plays ${((next.out - next.in) / FPS).toFixed(1)} s of its take`);
  };
  useShortcut('board.in', () => mark('in'), frames !== undefined);
  useShortcut('board.out', () => mark('out'), frames !== undefined);
  useShortcut('board.clearTrim', () => trim(WHOLE), isTrimmed);
  if (!frames || total <= 0 || shot.shot.skipped) return null;
  const handle = { total, step: 1 / FPS, perSecond: FPS };
  const [start, end] = [span.start, span.start + span.seconds].map((at) => `${(at / total) * 100}%`);
  const isLast = span.start + span.seconds >= total - 0.5 / FPS;
  return (
    <span className={styles.trims} data-trimmed={isTrimmed}>
      <TrimHandle
        label={t`In point of shot ${number}`}
        className={`${styles.trim} l ${span.start === 0 ? styles.first : ''}`}
        style={{ left: `max(0px, ${start} - 12px)` }}
        value={frames.in / FPS}
        range={[0, (frames.out - LEAST_FRAMES) / FPS]}
        {...handle}
        onValue={(value) => {
          seek('in');
          trim({ ...frames, in: Math.round(value * FPS) });
        }}
      />
      <TrimHandle
        label={t`Out point of shot ${number}`}
        className={`${styles.trim} r ${isLast ? styles.last : ''}`}
        style={{ left: `min(100% - 24px, max(${end} - 12px, ${start} + 12px))` }}
        value={frames.out / FPS}
        range={[(frames.in + LEAST_FRAMES) / FPS, frames.all / FPS]}
        {...handle}
        onValue={(value) => {
          seek('out');
          trim({ ...frames, out: Math.round(value * FPS) });
        }}
      />
    </span>
  );
}

/** Shows the frame at a moved point, once the viewer has the new trim. */
function useSeekAfterTrim(player: ClipPlayer | undefined, { active, span }: ShotView): (end: 'in' | 'out') => void {
  const moved = useRef<'in' | 'out'>(undefined);
  const { start, seconds } = span;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each other trim is shown.
  useEffect(() => {
    if (moved.current) player?.seek(start + (moved.current === 'in' ? timeOfFrame(0) : seconds - timeOfFrame(0)));
    moved.current = undefined;
  }, [active?.trim?.inMs, active?.trim?.outMs]);
  return (end) => {
    moved.current = end;
  };
}
