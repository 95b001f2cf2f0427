import { useEffect, useRef } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { formatLevel } from '../../../ui/index.ts';
import type { ClipPlayer } from './clipPlayer.ts';
import styles from './player.module.css';

/** The quietest that the bars show, in dBFS. */
const FLOOR_DB = -60;
/** Bars fall by this much a second, so that a short peak is seen. */
const FALL_DB = 20;
/** Figures that change faster than this cannot be read. */
const WORDS_MS = 200;

const share = (db: number): number => Math.max(0, Math.min(1, 1 - db / FLOOR_DB));
const figure = (value: number): string => (value < FLOOR_DB ? '–' : formatLevel(value, 1));

/** Peaks of the left and the right, and momentary loudness, of what is heard. */
export function PlaybackLevels({ player }: { player: ClipPlayer | undefined }) {
  const isPlaying = usePlayerValue(player, (state) => state.isPlaying);
  const root = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = root.current;
    if (!element || !player || !isPlaying) return;
    return watchLevels(element, player);
  }, [player, isPlaying]);
  return (
    <span ref={root} className={styles.levels}>
      <meter className="vh" aria-label={t`Momentary loudness`} min={FLOOR_DB} max={0} value={FLOOR_DB} />
      <span className={styles.levelBars} aria-hidden="true">
        <i />
        <i />
      </span>
      <span className={`mono t3 ${styles.levelText}`} aria-hidden="true">
        {t`${'–'} LUFS`}
      </span>
    </span>
  );
}

/** Draws the levels while something plays; not by React, which would render with every frame. */
function watchLevels(element: HTMLElement, player: ClipPlayer): () => void {
  const bars = [...element.querySelectorAll<HTMLElement>('i')];
  const text = element.querySelector<HTMLElement>(`.${styles.levelText}`);
  const meter = element.querySelector('meter');
  const say = (momentary: number, peak: number) => {
    if (text) text.textContent = t`${figure(momentary)} LUFS`;
    if (!meter) return;
    meter.value = Math.max(FLOOR_DB, Math.min(0, momentary));
    const words = t`${figure(momentary)} LUFS, peak ${figure(peak)} dBFS`;
    meter.setAttribute('aria-valuetext', momentary < FLOOR_DB ? 'silent' : words);
  };
  const shown = [FLOOR_DB, FLOOR_DB];
  let [drawnAt, saidAt, request] = [performance.now(), 0, 0];
  const draw = () => {
    const now = performance.now();
    const { peaks, momentary } = player.sound.levels();
    for (const [channel, bar] of bars.entries()) {
      const fallen = (shown[channel] ?? FLOOR_DB) - ((now - drawnAt) / 1_000) * FALL_DB;
      shown[channel] = Math.max(FLOOR_DB, peaks[channel] ?? FLOOR_DB, fallen);
      bar.style.setProperty('--level', String(share(shown[channel])));
    }
    drawnAt = now;
    if (now - saidAt > WORDS_MS) {
      saidAt = now;
      say(momentary, Math.max(...peaks));
    }
    request = requestAnimationFrame(draw);
  };
  draw();
  return () => {
    cancelAnimationFrame(request);
    for (const bar of bars) bar.style.removeProperty('--level');
    say(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY);
  };
}
