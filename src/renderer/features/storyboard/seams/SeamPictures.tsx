import { useEffect, useState } from 'react';
import { playedOf } from '../../../../shared/film/film.ts';
import { EDGE_S } from '../../../../shared/film/measures.ts';
import { t } from '../../../../shared/text/texts.ts';
import { mediaUrl } from '../../../client/index.ts';
import { FPS } from '../../../player/frames.ts';
import type { SyncPlayer } from '../../../player/syncPlayer.ts';
import type { ShotView } from '../model/view.ts';
import { gainsOf, type HeardMix } from '../player/playlist.ts';
import { type SeamMode, type SeamView, useSeamView } from './seam.ts';
import styles from './seams.module.css';

/** The last frame of the first clip and the first of the second, as a pair or one over the other. */
export function SeamPictures({ view, player, heard }: { view: SeamView; player: SyncPlayer; heard: HeardMix }) {
  const mode = useSeamView((state) => state.mode);
  const [first, setFirst] = useState<HTMLVideoElement | null>(null);
  const [second, setSecond] = useState<HTMLVideoElement | null>(null);
  const [split, setSplit] = useState(50);
  const [one, other] = [partOf(view.before), partOf(view.after)];
  const [before, after] = [view.before.shot.id, view.after.shot.id];
  useEffect(() => {
    const sides = first &&
      second && [
        { video: first, seconds: one.seconds, start: -one.seconds, from: one.from },
        { video: second, seconds: other.seconds, from: other.from },
      ];
    player.load(sides || [], after, { from: -EDGE_S, to: EDGE_S });
    return () => player.load([], '');
  }, [player, first, second, one.seconds, one.from, other.seconds, other.from, after]);
  useEffect(() => {
    const sides = [[first, before] as const, [second, after] as const];
    const heardSides = mode === 'pair' ? sides : [];
    player.hear(new Map(heardSides.flatMap(([video, id]) => (video ? [[video, gainsOf(heard, id)]] : []))));
  }, [player, heard, first, second, before, after, mode]);
  return (
    <div className={styles.view} data-mode={mode} data-panel tabIndex={-1}>
      <Frame of={view.before} side="a" mode={mode} onVideo={setFirst} />
      <span className={styles.seamline} aria-hidden="true" />
      <Frame of={view.after} side="b" mode={mode} onVideo={setSecond} split={split} />
      {mode === 'wipe' && (
        <input
          type="range"
          className={styles.wipeAt}
          aria-label={t`Wipe`}
          value={split}
          onChange={(event) => setSplit(Number(event.target.value))}
        />
      )}
      {mode === 'difference' && <span className="ov br">{t`Black: unchanged`}</span>}
    </div>
  );
}

const partOf = ({ active, span }: ShotView) => {
  const { from = 0, seconds } = playedOf(active) ?? { seconds: span.seconds };
  return { from, seconds };
};

interface FrameProps {
  of: ShotView;
  side: 'a' | 'b';
  mode: SeamMode;
  onVideo: (video: HTMLVideoElement | null) => void;
  /** The second one is visible from this percentage of the width on. */
  split?: number;
}

function Frame({ of: shot, side, mode, onVideo, split = 0 }: FrameProps) {
  const { active, number } = shot;
  const clip = active?.clip;
  const words = active ? t`Shot ${number} · take ${active.number}` : t`Shot ${number}`;
  const { from, seconds } = partOf(shot);
  const frame = side === 'a' ? Math.round((from + seconds) * FPS) : Math.round(from * FPS) + 1;
  const style = mode === 'wipe' && side === 'b' ? { clipPath: `inset(0 0 0 ${split}%)` } : undefined;
  const isHere = clip?.state === 'local';
  return (
    <figure className={styles.sf} data-side={side} style={style}>
      <div className="media">
        {isHere ? (
          <video
            ref={onVideo}
            className="fill"
            src={mediaUrl(clip.id)}
            // Media may have another origin than the page; without this, its sound could not pass through the page's gains.
            crossOrigin="anonymous"
            preload="auto"
            playsInline
            muted
            aria-label={words}
          />
        ) : (
          <span className="no-pic t2">{clip ? t`Not on this disk` : t`No take yet`}</span>
        )}
        {mode === 'difference' && side === 'b' ? null : <span className="ov tl">{words}</span>}
        {mode === 'pair' && isHere && (
          <span className={`ov mono ${side === 'a' ? 'br' : 'bl'}`}>{t`Frame ${frame}`}</span>
        )}
      </div>
    </figure>
  );
}
