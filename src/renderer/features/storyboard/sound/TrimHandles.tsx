import { t } from '../../../../shared/texts.ts';
import { TrimHandle } from '../player/TrimHandle.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { placeOf } from './Lane.tsx';
import styles from './sound.module.css';
import { patchTrack } from './soundEdits.ts';
import type { FilmSound } from './useFilmSound.ts';

/** What plays of a track is at least this long, in seconds. */
const SHORTEST = 0.1;
/** Of both handles side by side: those of a shorter track do not lie on each other. */
const BOTH_WIDE = 48;
const STEPS = { step: 0.1, perSecond: 100 };

/** Where the file begins and ends to play, at the ends of the track: dragged, or moved by the arrow keys. */
export function TrimHandles({ board, sound }: { board: BoardHandle; sound: FilmSound }) {
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
