import { HIGHEST_PEAK_DB } from '../../../../shared/sound/levels.ts';
import { t } from '../../../../shared/texts.ts';
import styles from '../player/player.module.css';
import type { FilmSound } from './useFilmSound.ts';

/** Says beside the levels with which gains the film plays: those of its export. */
export function HeardAs({ sound }: { sound: Pick<FilmSound, 'isMixed' | 'level' | 'mix' | 'fault'> }) {
  if (sound.mix.sources.length === 0) return null;
  const { short, long } = wordsOf(sound);
  return (
    <span className={`t3 ${styles.heardAs}`} title={long}>
      {short}
      <span className="vh">. {long}</span>
    </span>
  );
}

export function wordsOf({
  isMixed,
  level,
  fault,
}: Pick<FilmSound, 'isMixed' | 'level'> & { fault?: string | undefined }): { short: string; long: string } {
  if (!isMixed)
    return { short: t`as it came`, long: t`The takes are joined as they came, so their loudness is their own.` };
  if (!level && fault !== undefined) {
    return {
      short: t`not as exported`,
      long: t`The film is levelled in the export alone, since a sound of it is not measured: ${fault}`,
    };
  }
  if (!level) return { short: t`levels being measured`, long: t`It is levelled once all of its sounds are measured.` };
  const { target, gainDb, over } = level;
  const whole = Math.abs(gainDb) < SAME ? 'unchanged' : t`${gainDb < 0 ? t`lowered` : t`raised`} by ${dbWords(gainDb)}`;
  const levelled = target === undefined ? '' : t`levelled to ${lufsWords(target)} LUFS, `;
  const played = t`You hear it as exported: ${levelled}the mix is ${whole}.`;
  const short = Math.abs(gainDb) < SAME ? t`as exported` : t`as exported, ${gainDb < 0 ? '−' : '+'}${dbWords(gainDb)}`;
  if (over < SAME) return { short, long: played };
  const held = t`Its loudest peaks are held at ${lufsWords(HIGHEST_PEAK_DB)} dBTP in the export alone, up to ${dbWords(over)} lower.`;
  return { short: t`${short}, peaks not held`, long: `${played} ${held}` };
}

/** In dB; less is not told. */
const SAME = 0.05;

/** `−23.0` with a minus sign of its own width. */
export const lufsWords = (lufs: number): string => lufs.toFixed(1).replace('-', '−');

/** How much, whatever the direction. */
export const dbWords = (by: number): string => t`${Math.abs(by).toFixed(1)} dB`;
