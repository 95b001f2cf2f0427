import { dbOfGain } from '../../../../shared/film/sound/levels.ts';
import { duckSpans } from '../../../../shared/film/sound/mixPlan.ts';
import { t } from '../../../../shared/text/texts.ts';
import { TrimHandle } from '../player/TrimHandle.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { placeOf, Wave } from './Lane.tsx';
import styles from './sound.module.css';
import { patchTrack } from './soundEdits.ts';
import { type FilmSound, useSoundView } from './useFilmSound.ts';

/** The level line combines fades, trim and ducking; it dips where the track makes room for other sound. */
export function TrackLane({ board, sound }: { board: BoardHandle; sound: FilmSound }) {
  const panel = useSoundView((view) => view.panel);
  const { track, trackAsset, mix, total } = sound;
  if (!track) return <span className={`${styles.mseg} ${styles.none} t3`}>{t`No music or narration`}</span>;
  const source = mix.sources.find(({ from }) => from === 'track');
  const ducks = duckSpans({ shots: sound.shots.map(({ shot }) => shot), plan: sound.plan, cues: sound.cues, track });
  const length = trackAsset?.seconds;
  const end = source?.end ?? total;
  const share = (at: number) => (length ? Math.min(1, at / length) : 0);
  return (
    <>
      <button
        type="button"
        className={`${styles.mseg} ${panel === 'track' ? styles.on : ''} ${track.isMuted ? styles.off : ''}`}
        style={placeOf(0, end, total)}
        aria-pressed={panel === 'track'}
        onClick={() => useSoundView.setState({ panel: 'track' })}
      >
        <span className="vh">
          {[t`Track`, trackAsset?.name, track.isMuted && t`Muted`].filter(Boolean).join(', ')}{' '}
        </span>
        {length && <Wave asset={trackAsset} from={share(track.in)} to={share(track.in + end)} />}
        {source && <LevelLine keys={source.keys} end={source.end} />}
        {track.fadeIn > 0 && <span className="ov tl">{t`Fade ${track.fadeIn.toFixed(1)} s`} </span>}
        {track.fadeOut > 0 && <span className="ov tr">{t`Fade ${track.fadeOut.toFixed(1)} s`}</span>}
      </button>
      {ducks.map(({ start, end: until }) => (
        <span key={start} className={styles.dk} style={placeOf(start, until, total)} />
      ))}
      <TrimHandles board={board} sound={sound} />
    </>
  );
}

/** The range of the lane in decibels; quieter levels are drawn at the bottom. */
const [FLOOR_DB, TOP_DB] = [-30, 6];

/** On a decibel scale, steps that sound equal look equal. */
function LevelLine({ keys, end }: { keys: readonly { at: number; gain: number }[]; end: number }) {
  const height = (gain: number) =>
    100 * (1 - Math.min(1, Math.max(0, (dbOfGain(gain) - FLOOR_DB) / (TOP_DB - FLOOR_DB))));
  const points = keys.map(({ at, gain }) => `${end > 0 ? (at / end) * 1_000 : 0},${height(gain).toFixed(1)}`);
  return (
    <svg className={styles.env} viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

/** The shortest audible part of a track, in seconds. */
const SHORTEST = 0.1;
/** The width of both handles together in pixels: on a shorter track they would overlap. */
const BOTH_WIDE = 48;
const STEPS = { step: 0.1, perSecond: 100 };

/** In and out point of the file at the ends of the track: dragged, or moved by the arrow keys. */
function TrimHandles({ board, sound }: { board: BoardHandle; sound: FilmSound }) {
  const { track, trackAsset, mix, total } = sound;
  const source = mix.sources.find(({ from }) => from === 'track');
  const file = trackAsset?.seconds;
  if (!track || !source || file === undefined || total <= 0) return null;
  const out = Math.min(track.out ?? file, file);
  const set = (patch: { in?: number; out?: number }) => board.sync.editContent(patchTrack(patch));
  const leftOf = (at: number) => placeOf(at, at, total).left;
  return (
    <>
      <TrimHandle
        label={t`In point of the track`}
        className={`${styles.trim} l`}
        style={{ left: leftOf(0) }}
        total={total}
        value={track.in}
        range={[0, out - SHORTEST]}
        {...STEPS}
        onValue={(value) => set({ in: value })}
      />
      <TrimHandle
        label={t`Out point of the track`}
        className={`${styles.trim} r`}
        style={{ left: `max(${leftOf(source.end)}, ${BOTH_WIDE}px)` }}
        total={total}
        value={track.in + source.end}
        range={[track.in + SHORTEST, file]}
        {...STEPS}
        onValue={(value) => set({ out: value })}
      />
    </>
  );
}
