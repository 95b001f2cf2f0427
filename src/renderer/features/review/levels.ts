import { HIGHEST_PEAK_DB } from '../../../shared/film/sound/levels.ts';
import { t } from '../../../shared/text/texts.ts';
import { useMeasures } from '../../media/useMeasures.ts';
import { formatLevel, formatStep } from '../../ui/index.ts';
import type { ReviewItem } from './items.ts';

/** A take's integrated loudness in LUFS; null for silence, undefined if not measured. */
export type Level = number | null | undefined;

/** A take's level and its true peak in dBTP; null for silence. */
export interface Measured {
  level: Level;
  peak?: number | null | undefined;
}

export interface MatchedLevels {
  /** The common loudness in LUFS; undefined if fewer than two are comparable. */
  common: number | undefined;
  /** Gains in dB, in the order of the takes; none raises a peak above the allowed one. */
  gains: number[];
}

/** Sound this quiet is background; matching others to it would mute them. */
const QUIETEST = -50;
/** In dB. Limits the amplification of near silence. */
const MOST_RAISED = 20;
/** In LU; less is inaudible. */
const SAME = 0.05;

/**
 * Gains that make takes equally loud: as loud as the loudest, as far as all peaks allow. A take without a level is unchanged; one without a
 * peak is not raised.
 */
export function matchedLevels(takes: readonly Measured[]): MatchedLevels {
  const known = takes.flatMap(({ level, peak }) =>
    typeof level === 'number' && level > QUIETEST ? [{ level, most: level + roomAbove(peak) }] : [],
  );
  if (known.length < 2) return { common: undefined, gains: takes.map(() => 0) };
  const loudest = Math.max(...known.map(({ level }) => level));
  const common = Math.min(loudest, ...known.map(({ most }) => most));
  const gains = takes.map(({ level, peak }) =>
    typeof level === 'number' ? Math.min(common - level, roomAbove(peak)) : 0,
  );
  return { common, gains };
}

/** How far a take can be raised, in dB. */
const roomAbove = (peak: number | null | undefined): number =>
  typeof peak === 'number' ? Math.min(MOST_RAISED, Math.max(0, HIGHEST_PEAK_DB - peak)) : 0;

/** `−23.1 LUFS, −0.7 dB` */
export function levelWords(level: Level, gainDb: number): string {
  if (level === null) return t`Silent`;
  if (level === undefined) return t`Not measured`;
  const loudness = lufsWords(level);
  return Math.abs(gainDb) < SAME ? loudness : `${loudness}, ${formatStep(gainDb, 'dB')}`;
}

const lufsWords = (level: number): string => t`${formatLevel(level, 1)} LUFS`;

/** `Same level, −21.8 LUFS` */
export const sameLevelWords = ({ common }: MatchedLevels): string =>
  common === undefined ? t`Levels unchanged` : t`Same level, ${lufsWords(common)}`;

interface Levels {
  /** Gains in dB, in the order shown. */
  gains: readonly number[];
  /** The common level in words. */
  words: string;
}

/** The gains of the takes side by side, which all play at the same level. */
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
