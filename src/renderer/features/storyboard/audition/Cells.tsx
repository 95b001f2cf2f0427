import { type ReactNode, useEffect, useRef } from 'react';
import { isPlayable } from '../../../../shared/film.ts';
import { gainOfDb } from '../../../../shared/sound/levels.ts';
import { t } from '../../../../shared/texts.ts';
import { mediaUrl } from '../../../client/index.ts';
import { AssetImage } from '../../../ui/index.ts';
import type { Span } from '../model/timeline.ts';
import type { ShotView } from '../model/view.ts';
import { useBoardView } from '../useBoard.ts';
import type { Candidate } from './candidates.ts';
import { levelWords } from './levels.ts';
import type { SyncedClip, SyncPlayer } from './syncPlayer.ts';
import type { Audition } from './useAudition.ts';

interface CellsProps {
  audition: Audition;
  player: SyncPlayer;
  shot: ShotView;
  /** The second that its first frame has for the player; without it, its place in the film. */
  start?: number;
  /** What is said of a candidate besides its name, and its facts. */
  aboutOf?: (candidate: Candidate) => { note: string; facts: ReactNode };
  /** Leaves the focus where it is: the keys that judge are heard anywhere. */
  keepsFocus?: boolean;
  /** What stands beside the pictures, where there is room. */
  children?: ReactNode;
}

/** The pictures: one in full light and heard, the others darkened. */
export function Cells({ audition, player, shot, start = shot.span.start, aboutOf, keepsFocus, children }: CellsProps) {
  const { shown, solo, levels, matched, setSolo } = audition;
  const videos = useSyncedVideos(audition, player, { ...shot.span, start });
  return (
    <div className={`aud-cells of-${shown.length + (children ? 1 : 0)}`}>
      {shown.map((candidate, index) => (
        <Cell
          key={candidate.key}
          candidate={candidate}
          number={index + 1}
          isSolo={candidate === solo}
          words={wordsOf(candidate, levelWords(levels[index]?.level, matched.gains[index] ?? 0))}
          about={aboutOf?.(candidate)}
          takesFocus={!keepsFocus && index === 0}
          onSolo={() => setSolo(candidate)}
          onVideo={(video) => {
            if (video) videos.current.set(candidate.key, video);
            else videos.current.delete(candidate.key);
          }}
        />
      ))}
      {children}
    </div>
  );
}

const wordsOf = ({ clip }: Candidate, level: string): string => (clip.state === 'local' ? level : t`not on this disk`);

/** Hands the videos to the player when others are shown, and lets the solo one be heard at its level. */
function useSyncedVideos({ shown, solo, matched }: Audition, player: SyncPlayer, span: Span) {
  const videos = useRef(new Map<string, HTMLVideoElement>());
  const { isMuted, isLooping } = useBoardView();
  const key = shown.map((candidate) => `${candidate.key} ${candidate.clip.id} ${candidate.clip.state}`).join('\n');
  const latest = useRef(shown);
  latest.current = shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other clips are loaded anew.
  useEffect(() => {
    const clips = latest.current.flatMap((candidate): SyncedClip[] => {
      const video = videos.current.get(candidate.key);
      return video ? [{ video, seconds: candidate.clip.seconds ?? span.seconds }] : [];
    });
    player.load(clips, span.shotId, span.start);
  }, [player, key, span.shotId, span.start, span.seconds]);
  const factor = gainOfDb(matched.gains[solo ? shown.indexOf(solo) : 0] ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other clips begin without a sound.
  useEffect(() => {
    player.listenTo(solo && videos.current.get(solo.key), factor, isMuted);
  }, [player, solo?.key, factor, isMuted, key]);
  useEffect(() => {
    player.isLooping = isLooping;
  }, [player, isLooping]);
  useEffect(() => () => player.load([], '', 0), [player]);
  return videos;
}

interface CellProps {
  candidate: Candidate;
  number: number;
  isSolo: boolean;
  words: string;
  about: { note: string; facts: ReactNode } | undefined;
  takesFocus: boolean;
  onSolo: () => void;
  onVideo: (video: HTMLVideoElement | null) => void;
}

function Cell({ candidate, number, isSolo, words, about, takesFocus, onSolo, onVideo }: CellProps) {
  const { clip } = candidate;
  const button = useRef<HTMLButtonElement>(null);
  // Called by its key, the audition can be judged at once: Enter keeps what is solo.
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) button.current?.focus();
  }, [takesFocus]);
  return (
    <button
      type="button"
      ref={button}
      className={`cell ${isSolo ? 'solo' : ''}`}
      aria-pressed={isSolo}
      onClick={onSolo}
    >
      <span className="media">
        {isPlayable(clip) ? (
          <video
            ref={onVideo}
            src={mediaUrl(clip.id)}
            crossOrigin="anonymous"
            preload="auto"
            playsInline
            muted
            disablePictureInPicture
          />
        ) : (
          <AssetImage asset={clip} className="fill" alt="" />
        )}
        <span className="ov tl">
          <b>{number}</b>
          {isSolo && ' solo'}
        </span>
        <span className="ov tr">
          {candidate.words}
          {about && `, ${about.note}`}
        </span>
        <span className="ov bl">{words}</span>
        {about && <span className="ov br">{about.facts}</span>}
      </span>
    </button>
  );
}
