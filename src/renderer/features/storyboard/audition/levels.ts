/** A take's measured level: integrated loudness in LUFS; null for silence, undefined where it is not measured. */
export type Level = number | null | undefined;

export interface MatchedLevels {
  /** LUFS that all of them are played at; undefined where no two can be compared. */
  common: number | undefined;
  /** In dB, at most 0, in the order of the takes. */
  gains: number[];
}

/** A window of loudness that is this quiet is background; to match the others to it would mute them. */
const QUIETEST = -50;

/**
 * Gains that play takes equally loud. The quietest one sets the level, so that a gain only ever lowers: whatever its peaks are, no take
 * can clip. A take without a level plays as it is.
 */
export function matchedLevels(levels: readonly Level[]): MatchedLevels {
  const known = levels.filter((level): level is number => typeof level === 'number' && level > QUIETEST);
  const common = known.length > 1 ? Math.min(...known) : undefined;
  const gains = levels.map((level) =>
    common === undefined || typeof level !== 'number' ? 0 : Math.min(0, common - level),
  );
  return { common, gains };
}

/** dB → the factor that samples are multiplied with. */
export const factorOf = (gainDb: number): number => 10 ** (gainDb / 20);

const MINUS = '−';
const figure = (value: number): string => Math.abs(value).toFixed(1);

/** `−23.1 LUFS, −0.7 dB` */
export function levelWords(level: Level, gainDb: number): string {
  if (level === null) return 'silent';
  if (level === undefined) return 'not measured';
  const loudness = `${level < 0 ? MINUS : ''}${figure(level)} LUFS`;
  return gainDb <= -0.05 ? `${loudness}, ${MINUS}${figure(gainDb)} dB` : loudness;
}
