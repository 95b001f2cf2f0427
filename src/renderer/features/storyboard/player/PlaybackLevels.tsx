import { type CSSProperties, useEffect, useState } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { SILENCE } from '../../../player/soundOutput.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { formatLevel } from '../../../ui/index.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import styles from './player.module.css';

/** The lowest shown level, in dBFS. */
const FLOOR_DB = -60;
/** Figures that change faster are unreadable; peaks in between are not missed. */
const EVERY_MS = 150;

const held = (db: number): number => Math.max(FLOOR_DB, Math.min(0, db));
const figure = (value: number): string => (value < FLOOR_DB ? '–' : formatLevel(value, 1));

/** Peaks of left and right, and momentary loudness, of the playback. */
export function PlaybackLevels({ player }: { player: ClipPlayer | undefined }) {
  const isPlaying = usePlayerValue(player, (state) => state.isPlaying);
  const [{ peaks, momentary }, setLevels] = useState(SILENCE);
  useEffect(() => {
    if (!player || !isPlaying) return;
    const timer = setInterval(() => setLevels(player.sound.levels()), EVERY_MS);
    return () => {
      clearInterval(timer);
      setLevels(SILENCE);
    };
  }, [player, isPlaying]);
  const words = t`${figure(momentary)} LUFS, peak ${figure(Math.max(...peaks))} dBFS`;
  const bars = peaks.map((peak) => ({ '--level': 1 - held(peak) / FLOOR_DB }) as CSSProperties);
  return (
    <span className="row">
      <meter
        className="vh"
        aria-label={t`Momentary loudness`}
        min={FLOOR_DB}
        max={0}
        value={held(momentary)}
        aria-valuetext={momentary < FLOOR_DB ? t`Silent` : words}
      />
      <span className={styles.levelBars} aria-hidden="true">
        <i style={bars[0]} />
        <i style={bars[1]} />
      </span>
      <span className={`mono t3 ${styles.levelText}`} aria-hidden="true">
        {t`${figure(momentary)} LUFS`}
      </span>
    </span>
  );
}
