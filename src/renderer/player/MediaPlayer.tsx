import { AudioLines, Maximize } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../shared/text/texts.ts';
import { useShortcut } from '../app/index.ts';
import { useMeasures } from '../media/useMeasures.ts';
import { Button, formatLength, Icon, IconButton, Slider } from '../ui/index.ts';
import { FilePlayer } from './filePlayer.ts';
import { frameAt } from './frames.ts';
import styles from './mediaPlayer.module.css';
import { LoopAndMute, PlayButtons, Rate } from './PlayButtons.tsx';
import { SeekBar } from './SeekBar.tsx';
import { usePlayback, usePlayer, usePlayerValue } from './usePlayer.ts';

export interface MediaPlayerProps {
  url: string;
  mime: string;
  name: string;
  poster?: string | undefined;
  /** Its length, if known without the file. */
  seconds?: number | undefined;
  /** Frames per second; measured if not given. */
  fps?: number | undefined;
  /** Its hash, for measuring. */
  sha256?: string | undefined;
  /** Shown instead if it cannot be played. */
  instead: ReactNode;
  onFacts?: (facts: MediaFacts) => void;
}

/** A file as the window's decoder sees it; 0 × 0 without a displayable picture. */
export interface MediaFacts {
  seconds: number;
  width: number;
  height: number;
}

/** One clip or sound, with our own controls, all usable and named for keyboards and screen readers. */
export const MediaPlayer = (props: MediaPlayerProps) => <OneFile key={props.url} {...props} />;

function OneFile(props: MediaPlayerProps) {
  const { mime, name, instead, onFacts } = props;
  const root = useRef<HTMLElement>(null);
  const [media, setMedia] = useState<HTMLMediaElement | null>(null);
  const [hasPicture, setHasPicture] = useState(true);
  const { player, fps } = useFilePlayer(media, props);
  const speed = usePlayback((playback) => playback.speed);
  const total = usePlayerValue(player, (state) => state.total);
  const error = usePlayerValue(player, (state) => state.error);
  const onLoaded = (element: HTMLMediaElement) => {
    const { videoWidth: width = 0, videoHeight: height = 0 } = element as Partial<HTMLVideoElement>;
    setHasPicture(width > 0);
    onFacts?.({ seconds: element.duration, width, height });
  };
  if (error) {
    return (
      <section className={styles.mplayer} aria-label={t`Player: ${name}`}>
        <div className={`media ${styles.view} ${styles.fault}`}>{instead}</div>
      </section>
    );
  }
  return (
    <section className={styles.mplayer} ref={root} aria-label={t`Player: ${name}`}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same is done by its button and its keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the same is done by its button and its keys. */}
      <div className={`media ${styles.view}`} onClick={() => player.toggle()}>
        <MediaElement {...props} onMedia={setMedia} onLoaded={onLoaded} />
        {!(mime.startsWith('video/') && hasPicture) && (
          <span className={styles.sound}>
            <Icon of={AudioLines} size="l" />
            {mime.startsWith('video/') && <span>{t`Only its sound can be played here.`}</span>}
          </span>
        )}
        <Time player={player} total={total} fps={fps} />
        <Rate player={player} usual={speed} className="ov br mono" />
      </div>
      <SeekBar player={player} label={t`Time of ${name}`} textOf={(at) => placeWords(at, total, fps)}>
        <span className={styles.track} aria-hidden="true" />
      </SeekBar>
      <Controls player={player} root={root} />
    </section>
  );
}

function Time({ player, total, fps }: { player: FilePlayer; total: number; fps: number | undefined }) {
  const seconds = usePlayerValue(player, (state) => state.seconds);
  return (
    <span className="ov bl mono" role="timer" aria-label={t`Time`}>
      {placeWords(seconds, total, fps)}
    </span>
  );
}

function placeWords(at: number, total: number, fps: number | undefined): string {
  const place = formatLength(Math.floor(at));
  const words = total > 0 ? t`${place} of ${formatLength(total)}` : place;
  return fps === undefined ? words : t`${words}, frame ${frameAt(at, fps)}`;
}

/** The player of an element, and its frames per second. */
function useFilePlayer(media: HTMLMediaElement | null, { seconds, fps: told, sha256, mime }: MediaPlayerProps) {
  const [player] = useState(() => new FilePlayer());
  const isUsed = usePlayerValue(player, (state) => state.isPlaying || state.seconds > 0);
  const [wasUsed, setUsed] = useState(false);
  if (isUsed && !wasUsed) setUsed(true);
  const isClip = mime.startsWith('video/');
  const isAsked = isClip && told === undefined && wasUsed && sha256 !== undefined;
  const file = useMeasures(isAsked ? [sha256] : []).get(sha256 ?? '');
  const measured = file?.state === 'measured' ? file.measures.pictures?.fps : undefined;
  const fps = isClip ? (told ?? measured) : undefined;
  useEffect(() => {
    player.load(media, { seconds: seconds ?? 0, fps });
  }, [player, media, seconds, fps]);
  useEffect(() => () => player.load(null, {}), [player]);
  const { volume, speed } = usePlayback();
  useEffect(() => {
    if (media) media.volume = volume;
  }, [media, volume]);
  useEffect(() => player.setSpeed(speed), [player, speed]);
  return { player, fps };
}

interface ElementProps extends MediaPlayerProps {
  onMedia: (element: HTMLMediaElement | null) => void;
  onLoaded: (element: HTMLMediaElement) => void;
}

function MediaElement({ url, mime, name, poster, onMedia, onLoaded }: ElementProps) {
  const shared = { src: url, preload: 'metadata', 'aria-label': name } as const;
  if (!mime.startsWith('video/')) {
    return <audio ref={onMedia} {...shared} onLoadedMetadata={({ currentTarget }) => onLoaded(currentTarget)} />;
  }
  return (
    <video
      ref={onMedia}
      {...shared}
      poster={poster}
      playsInline
      disablePictureInPicture
      onLoadedMetadata={({ currentTarget }) => onLoaded(currentTarget)}
    />
  );
}

const SPEEDS = [1, 1.5, 2, 0.25, 0.5];

interface ControlsProps {
  player: FilePlayer;
  root: RefObject<HTMLElement | null>;
}

function Controls({ player, root }: ControlsProps) {
  const { volume, isMuted, speed } = usePlayback();
  usePlayer(player, 'file');
  const fullHint = useShortcut('player.fullScreen', () => toggleFullScreen(root.current));
  return (
    <div className={styles.mpBar} role="toolbar" aria-label={t`Player`}>
      <PlayButtons player={player} />
      <span className="grow" />
      <LoopAndMute of="file" />
      <Slider
        aria-label={t`Volume`}
        min={0}
        max={100}
        step={5}
        value={isMuted ? 0 : Math.round(volume * 100)}
        onValue={(next) => usePlayback.setState({ volume: next / 100, isMuted: false })}
      />
      <Button
        variant="ghost"
        className={styles.speed}
        aria-label={t`Speed ${speed} ×`}
        title={t`Another speed`}
        onClick={() => usePlayback.setState({ speed: SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1 })}
      >
        {speed} ×
      </Button>
      <IconButton label={t`Full screen`} tip={fullHint} onClick={() => toggleFullScreen(root.current)}>
        <Icon of={Maximize} />
      </IconButton>
    </div>
  );
}

/** A window that may not be full screen refuses and stays as it is. */
function toggleFullScreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void element?.requestFullscreen?.().catch(() => undefined);
}
