import { FindingGlyph } from '../../../ui/index.ts';
import type { SeamMeasure } from './seam.ts';
import styles from './seams.module.css';

const SPOKEN: Record<SeamMeasure['finding'], string> = { level: 'meets', step: 'jumps', none: '' };

/** A level line meets, a step jumps, a broken line is not measured. */
export function Finding({ of: { finding }, text, strong }: { of: SeamMeasure; text: string; strong?: boolean }) {
  return (
    <span className={styles.find1}>
      <FindingGlyph of={finding} />
      <span className="vh">{SPOKEN[finding]} </span>
      {strong ? <b>{text}</b> : text}
    </span>
  );
}
