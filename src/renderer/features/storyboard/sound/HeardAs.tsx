import { t } from '../../../../shared/text/texts.ts';
import styles from '../player/player.module.css';
import type { FilmSound } from './useFilmSound.ts';

/** Says beside the levels with which gains the film plays: those of its export. */
export function HeardAs({ sound }: { sound: Pick<FilmSound, 'isMixed' | 'level' | 'mix' | 'fault'> }) {
  if (sound.mix.sources.length === 0) return null;
  return <span className={`t3 ${styles.heardAs}`}>{heardWords(sound)}</span>;
}

export function heardWords({
  isMixed,
  level,
  fault,
}: Pick<FilmSound, 'isMixed' | 'level'> & { fault?: string | undefined }): string {
  if (!isMixed) return t`As it came`;
  if (!level) return fault === undefined ? t`levels being measured` : t`not as exported`;
  const { gainDb, over } = level;
  const by = Math.abs(gainDb) < SAME ? [] : [`${gainDb < 0 ? '−' : '+'}${dbWords(gainDb)}`];
  return [t`as exported`, ...by, ...(over < SAME ? [] : [t`peaks not held`])].join(', ');
}

/** In dB; less is not told. */
const SAME = 0.05;

/** `−23.0` with a minus sign of its own width. */
export const lufsWords = (lufs: number): string => lufs.toFixed(1).replace('-', '−');

/** How much, whatever the direction. */
export const dbWords = (by: number): string => `${Math.abs(by).toFixed(1)} dB`;
