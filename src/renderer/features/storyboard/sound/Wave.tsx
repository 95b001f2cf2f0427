import styles from './sound.module.css';

/** How loud a sound is over its length. `peaks` are 0 to 255 (full scale), evenly over `from` to `to` (shares of the whole, 0 to 1). */
export function Wave({ peaks, from = 0, to = 1 }: { peaks: readonly number[]; from?: number; to?: number }) {
  const [first, last] = [Math.floor(from * peaks.length), Math.max(1, Math.ceil(to * peaks.length))];
  const shown = peaks.slice(first, last);
  if (shown.length === 0) return null;
  const path = shown.map((peak, index) => {
    const half = Math.max(1, (peak / 255) * 49);
    return `M${index + 0.5} ${50 - half}v${half * 2}`;
  });
  return (
    <svg className={styles.wave} viewBox={`0 0 ${shown.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  );
}
