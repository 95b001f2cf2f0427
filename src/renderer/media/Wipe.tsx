import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Asset } from '../../shared/library/asset.ts';
import { mediaUrl } from '../client/index.ts';
import styles from './wipe.module.css';

/** Fits the picture into its place, never larger than it is. */
export const shapeOf = ({ width, height }: Asset) =>
  width > 0
    ? { aspectRatio: `${width} / ${height}`, width: `min(100cqw, 100cqh * ${width} / ${height}, ${width}px)` }
    : {};

interface WipeProps {
  /** The picture left of the line. */
  left: Asset;
  /** The picture right of the line, which sets the shape. */
  right: Asset;
  names: { left: string; right: string };
  label: string;
}

/** Two pictures beside a line that is dragged or moved by arrow keys. */
export function Wipe({ left, right, names, label }: WipeProps) {
  const [share, setShare] = useState(0.5);
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    setShare(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const key = (event: KeyboardEvent) => {
    const to = { ArrowLeft: share - 0.02, ArrowRight: share + 0.02, Home: 0, End: 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setShare(Math.min(1, Math.max(0, to)));
  };
  const percent = Math.round(share * 100);
  return (
    <div
      className={`${styles.pic} ${styles.compare}`}
      style={shapeOf(right)}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} % ${names.left}`}
      onPointerDown={drag}
      onPointerMove={drag}
      onKeyDown={key}
    >
      <img src={mediaUrl(right.id)} alt={names.right} draggable={false} />
      <div className={styles.clipped} style={{ clipPath: `inset(0 ${(1 - share) * 100}% 0 0)` }}>
        <img src={mediaUrl(left.id)} alt={names.left} draggable={false} />
      </div>
      <i className={styles.divider} style={{ left: `${share * 100}%` }} />
      <span className="ov tl">{names.left}</span>
      <span className="ov tr">{names.right}</span>
    </div>
  );
}
