import { useMeasures } from '../../media/useMeasures.ts';
import type { ReviewItem } from './items.ts';
import { levelWords, type Measured, matchedLevels, sameLevelWords } from './levels.ts';

interface Levels {
  /** In dB, in the order of what stands side by side. */
  gains: readonly number[];
  /** The level they are all played at. */
  words: string;
}

/** The levels of what stands side by side: all are played at the same. */
export function useLevels(sides: readonly ReviewItem[]): Levels {
  const files = useMeasures(sides.flatMap(({ asset }) => (asset?.state === 'local' ? [asset.sha256] : [])));
  const levels = sides.map(({ asset }): Measured => {
    const file = files.get(asset?.sha256 ?? '');
    if (file?.state !== 'measured') return { level: undefined };
    const { sound, soundFault } = file.measures;
    if (sound) return { level: sound.lufs, peak: sound.truePeakDb };
    return { level: soundFault === undefined ? null : undefined };
  });
  const matched = matchedLevels(levels);
  const words = levels.length < 2 ? levelWords(levels[0]?.level, 0) : sameLevelWords(matched);
  return { gains: matched.gains, words };
}
