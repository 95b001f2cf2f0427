import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { gainOfDb } from '../../../shared/film/sound/levels.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { displayedAs } from '../../../shared/library/mediaFormats.ts';
import { t } from '../../../shared/text/texts.ts';
import { mediaUrl } from '../../client/index.ts';
import type { SyncPlayer } from '../../player/syncPlayer.ts';
import { AssetImage, JobStateGlyph } from '../../ui/index.ts';
import { NOT_JUDGED, STATE_WORDS, VERDICT_WORDS } from '../../words/index.ts';
import { CHECK_WORDS, type Checked, CheckMark } from './checks.tsx';
import { isSelected, type ReviewItem } from './items.ts';
import { useLevels } from './levels.ts';
import { InOnePlace, panningOf } from './PictureLine.tsx';
import styles from './review.module.css';
import type { Review } from './useReview.ts';
import { isPicture, letterOf, useReviewView } from './view.ts';

interface StageProps {
  review: Review;
  player: SyncPlayer;
  checks: ReadonlyMap<string, Checked>;
}

/** One to four results in sync; the one being rated has the accent edge and is heard. */
export function Stage({ review, player, checks }: StageProps) {
  const { sides, current, group, show } = review;
  const videos = useSyncedVideos(review, player);
  const { mode, zoom, pan } = useReviewView();
  const panning = panningOf(sides.every(isPicture));
  const shift = { '--zoom': zoom, '--pan-x': `${pan.x * 100}%`, '--pan-y': `${pan.y * 100}%` } as CSSProperties;
  const shown = sides.length === 0 ? [current] : sides;
  const isOne = mode !== 'side' && shown.length === 2 && shown.every(isPicture);
  return (
    <section
      className={`${styles.stage} ${zoom > 1 ? styles.zoomed : ''}`}
      data-count={isOne ? 1 : shown.length}
      aria-label={t`${current.name} of ${group.title}`}
      data-panel
      tabIndex={-1}
      style={shift}
      {...panning}
    >
      {isOne ? (
        <InOnePlace sides={shown} current={current} />
      ) : (
        shown.map((item, index) => (
          <Side
            key={item.key}
            item={item}
            letter={shown.length > 1 ? letterOf(index) : undefined}
            about={
              group.shot ? t`${group.title}, ${group.shot.shot.title || group.shot.shot.prompt}` : item.asset?.name
            }
            isOn={item === current}
            isInFilm={isSelected(item, group.shot)}
            checked={checks.get(item.key)}
            onShow={() => show(item.key)}
            onVideo={(video) => {
              if (video) videos.current.set(item.key, video);
              else videos.current.delete(item.key);
            }}
          />
        ))
      )}
    </section>
  );
}

/** Loads other clips into the player, and makes the one being rated audible at its level. */
function useSyncedVideos({ sides, current, group }: Review, player: SyncPlayer) {
  const videos = useRef(new Map<string, HTMLVideoElement>());
  const { gains } = useLevels(sides);
  const key = sides.map(({ key: own, asset }) => `${own} ${asset?.id} ${asset?.state}`).join('\n');
  const latest = useRef(sides);
  latest.current = sides;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other clips are loaded anew.
  useEffect(() => {
    const clips = latest.current.flatMap(({ key: own, asset }) => {
      const video = videos.current.get(own);
      return video ? [{ video, seconds: asset?.seconds ?? SECONDS_UNKNOWN }] : [];
    });
    player.load(clips, group.key);
  }, [player, key, group.key]);
  const factor = gainOfDb(gains[sides.indexOf(current)] ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other clips begin without a sound.
  useEffect(() => {
    const video = videos.current.get(current.key);
    player.hear(new Map(video ? [[video, [{ at: 0, gain: factor }]]] : []));
  }, [player, current.key, factor, key]);
  useEffect(() => () => player.load([], ''), [player]);
  return videos;
}

const SECONDS_UNKNOWN = 8;

interface SideProps {
  item: ReviewItem;
  /** Set if several are shown. */
  letter: string | undefined;
  about: string | undefined;
  isOn: boolean;
  isInFilm: boolean;
  checked: Checked | undefined;
  onShow: () => void;
  onVideo: (video: HTMLVideoElement | null) => void;
}

function Side({ item, letter, about, isOn, isInFilm, checked, onShow, onVideo }: SideProps) {
  const { name } = item;
  return (
    <article
      className={`${styles.side} ${isOn && letter ? styles.on : ''}`}
      aria-label={letter ? `${letter}: ${name}` : name}
    >
      <div className={`row ${styles.head}`}>
        {letter && (
          <button
            type="button"
            className={styles.letter}
            aria-pressed={isOn}
            aria-label={t`Rate ${letter}`}
            onClick={onShow}
          >
            {letter}
          </button>
        )}
        <h2 className="nw">{name}</h2>
        <span className="t2 cut">{letter ? undefined : about}</span>
        <span className="grow" />
        <SideState item={item} isRated={isOn && letter !== undefined} isInFilm={isInFilm} checked={checked} />
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its letter is the button; a click on the picture is the same. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its letter is the button. */}
      <div className={styles.fit} onClick={letter ? onShow : undefined}>
        <Result item={item} onVideo={onVideo} />
      </div>
    </article>
  );
}

interface SideStateProps extends Pick<SideProps, 'item' | 'isInFilm' | 'checked'> {
  /** Whether several are shown and this one is being rated. */
  isRated: boolean;
}

/** The results of its quality check, and its rating. */
function SideState({ item: { job }, isRated, isInFilm, checked }: SideStateProps) {
  const found = checked?.state === 'broken' || checked?.state === 'look' ? checked.state : undefined;
  const words = [job?.verdict ? VERDICT_WORDS[job.verdict] : NOT_JUDGED, isInFilm && t`Selected take`];
  return (
    <>
      {isRated && <span className={`${styles.rating} nw`}>{t`Rating this one`}</span>}
      {found && (
        <span className="row" title={CHECK_WORDS[found]}>
          <CheckMark state={found} />
          <span className="vh">{CHECK_WORDS[found]}</span>
        </span>
      )}
      {job?.state === 'succeeded' && (job.verdict || !isRated) && (
        <span className="t2 nw">{words.filter(Boolean).join(', ')}</span>
      )}
    </>
  );
}

/** The clip, picture or text of a result, or why the take was not made. */
function Result({ item: { asset, job, name }, onVideo }: Pick<SideProps, 'item' | 'onVideo'>): ReactNode {
  if (asset) return <ResultFile asset={asset} name={name} onVideo={onVideo} />;
  if (job?.result) return <p className={styles.text}>{job.result.text}</p>;
  return (
    <p className="row pad t2">
      {job && <JobStateGlyph state={job.state} progress={job.progress} />}
      {job?.error?.message ?? (job ? STATE_WORDS[job.state] : t`Loading`)}
    </p>
  );
}

function ResultFile({ asset, name, onVideo }: { asset: Asset; name: string } & Pick<SideProps, 'onVideo'>) {
  const isHere = asset.state === 'local';
  const shown = displayedAs(asset.mime);
  if (isHere && shown === 'video')
    return (
      <video
        ref={onVideo}
        src={mediaUrl(asset.id)}
        aria-label={name}
        crossOrigin="anonymous"
        preload="auto"
        playsInline
        muted
        disablePictureInPicture
      />
    );
  if (isHere && shown === 'image')
    return <img className={styles.zoom} src={mediaUrl(asset.id)} alt={name} draggable={false} />;
  return <AssetImage asset={asset} className="fill" alt={name} />;
}
