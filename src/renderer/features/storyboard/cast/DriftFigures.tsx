import { t } from '../../../../shared/text/texts.ts';
import styles from './cast.module.css';
import type { CellDrift } from './useDrift.ts';

export const colourWords = (colour: number): string => colour.toFixed(1);
/** Without the nought before the point, as the column is narrow. */
export const shapeWords = (shape: number): string => shape.toFixed(2).replace('0.', '.');

/** The two figures of a cell, one above the other: colour and shape. What they mean is in the words of the cell. */
export function DriftFigures({ drift }: { drift: CellDrift | undefined }) {
  if (drift === undefined) return null;
  if (typeof drift === 'string') {
    return (
      <span className={styles.drift} title={WHY[drift]} aria-hidden="true">
        {drift === 'waiting' ? '…' : '–'}
      </span>
    );
  }
  return (
    <span className={`${styles.drift} num`} aria-hidden="true">
      <b>{colourWords(drift.colour)}</b>
      <span>{shapeWords(drift.shape)}</span>
    </span>
  );
}

export const WHY = {
  waiting: t`Being measured`,
  failed: t`Not measured`,
  beyond: t`Not measured`,
} as const;

/** For the name of a cell, which is spoken as a whole. */
export function driftWords(drift: CellDrift | undefined): string {
  if (drift === undefined) return '';
  if (typeof drift === 'string') return WHY[drift];
  return t`ΔE ${colourWords(drift.colour)}, shape ${shapeWords(drift.shape)}`;
}
