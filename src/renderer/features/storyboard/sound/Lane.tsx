import type { ReactNode } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import styles from './sound.module.css';

interface LaneProps {
  name: string;
  fact: ReactNode;
  end?: ReactNode;
  children: ReactNode;
}

/** A name and one fact at the left, then the time of the film. */
export function Lane({ name, fact, end, children }: LaneProps) {
  return (
    <div className={styles.lane}>
      <div className={styles.lh}>
        <span className="row between">
          <b>{name}</b>
          {end}
        </span>
        <span className="t3 cut">{fact}</span>
      </div>
      <div className={styles.lt}>{children}</div>
    </div>
  );
}

/** Left edge and width of a time span, as shares of the film. */
export const placeOf = (start: number, end: number, total: number) => ({
  left: `${total > 0 ? (start / total) * 100 : 0}%`,
  width: `${total > 0 ? (Math.max(0, Math.min(end, total) - start) / total) * 100 : 0}%`,
});

/** The waveform of a sound from one share of its length (0 to 1) to another; nothing until it is measured. */
export function Wave({ asset, from = 0, to = 1 }: { asset: Asset | undefined; from?: number; to?: number }) {
  const sha256 = asset?.state === 'local' && asset.audio !== false ? asset.sha256 : '';
  const file = useMeasures(sha256 === '' ? [] : [sha256]).get(sha256);
  const peaks = (file?.state === 'measured' && file.measures.sound?.wave) || [];
  const shown = peaks.slice(Math.floor(from * peaks.length), Math.max(1, Math.ceil(to * peaks.length)));
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
