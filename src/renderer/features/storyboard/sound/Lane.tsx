import type { ReactNode } from 'react';
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
