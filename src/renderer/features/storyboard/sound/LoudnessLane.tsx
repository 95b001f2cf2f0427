import { BROADCAST_LUFS, targetOf } from '../../../../shared/sound/levels.ts';
import { t } from '../../../../shared/texts.ts';
import { Lane } from './Lane.tsx';
import { lufsWords } from './levelWords.ts';
import styles from './sound.module.css';
import type { FilmSound } from './useFilmSound.ts';

/** LUFS at the floor and at the top of the lane. */
const [FLOOR, TOP] = [-50, -8];

/** How loud the mix is over the film, as it is mixed and, in grey, as it plays and is exported. */
export function LoudnessLane({ sound: { loudness, level, isMixed, fault, wanted } }: { sound: FilmSound }) {
  const target = targetOf(wanted);
  const shown = target ?? BROADCAST_LUFS;
  const points = loudness?.points ?? [];
  const width = Math.max(1, points.length - 1);
  const by = isMixed ? (level?.gainDb ?? 0) : 0;
  const loudest = points.reduce((most, one) => (one !== null && one > (most ?? -200) ? one : most), null);
  return (
    <Lane
      name={t`Loudness`}
      fact={loudness ? t`grey: as exported` : fault === undefined ? t`being measured` : t`not measured`}
    >
      <span className="vh">{wordsOf(loudness?.lufs, loudest)}</span>
      <svg className={styles.louLine} viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        <line className={styles.target} x2={width} y1={heightOf(shown)} y2={heightOf(shown)} />
        {by !== 0 && <path className={styles.exported} d={lineOf(points, by)} />}
        <path d={lineOf(points, 0)} />
      </svg>
      <span className={`${styles.louNote} t3`} aria-hidden="true">
        {`${lufsWords(shown).replace('.0', '')}, ${target === undefined ? 'broadcast' : 'target'}`}
      </span>
    </Lane>
  );
}

const wordsOf = (lufs: number | null | undefined, loudest: number | null): string =>
  lufs === undefined || lufs === null
    ? t`Nothing is heard yet.`
    : t`The whole film has ${lufsWords(lufs)} LUFS, its loudest moment ${lufsWords(loudest ?? lufs)}.`;

const heightOf = (lufs: number): number => 100 * (1 - Math.min(1, Math.max(0, (lufs - FLOOR) / (TOP - FLOOR))));

/** Silence lies on the floor. */
const lineOf = (points: readonly (number | null)[], by: number): string =>
  points
    .map(
      (lufs, index) => `${index === 0 ? 'M' : 'L'}${index} ${(lufs === null ? 100 : heightOf(lufs + by)).toFixed(1)}`,
    )
    .join('');
