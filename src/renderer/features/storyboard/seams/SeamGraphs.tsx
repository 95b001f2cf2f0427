import type { ReactNode } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import type { SyncPlayer } from '../../../player/syncPlayer.ts';
import { usePlayerState } from '../../../player/usePlayer.ts';
import { FindingGlyph, formatLevel, formatStep } from '../../../ui/index.ts';
import { bars, colourLines, HEIGHT, pathOf, soundLines, WIDTH, wavePath, xOf } from './graph.ts';
import type { SeamMeasure } from './seam.ts';
import styles from './seams.module.css';
import type { SeamView } from './useSeams.ts';

const measuresOf = (side: SeamView['sides'][number]) => ('measures' in side ? side.measures : undefined);

/** Three measures over one second before and after the seam, on one axis. */
export function SeamGraphs({ view, player }: { view: SeamView; player: SyncPlayer }) {
  const { seam } = view;
  const sides = { before: measuresOf(view.sides[0]), after: measuresOf(view.sides[1]) };
  const colour = colourLines(sides);
  return (
    <section className={styles.meas} aria-label={t`Continuity`}>
      <Row
        name={t`Frames`}
        measure={seam.frames}
        note={t`Motion around it ${seam.frames.around.toFixed(2)}`}
        figure={seam.frames.value.toFixed(2)}
      >
        {bars(sides, seam.frames.finding === 'none' ? undefined : seam.frames.value).map((bar) => (
          <rect
            key={bar.x}
            x={bar.x}
            y={HEIGHT - 2 - bar.height}
            width={bar.width}
            height={bar.height}
            className={bar.isSeam && seam.frames.finding === 'step' ? styles.jump : styles.mo}
          />
        ))}
      </Row>
      <Row name={t`Colour`} measure={seam.colour} figure={t`ΔE ${seam.colour.value.toFixed(1)}`} note="">
        {colour.faint.map((line) => (
          <path key={pathOf(line)} d={pathOf(line)} />
        ))}
        {colour.strong.map((line) => (
          <path key={pathOf(line)} className={styles.strong} d={pathOf(line)} />
        ))}
      </Row>
      <Row name={t`Sound`} measure={seam.sound} figure={formatStep(seam.sound.value, 'LU')} note={soundNote(view)}>
        <path className={styles.wv} d={wavePath(sides)} />
        {soundLines(sides).map((line) => (
          <path key={pathOf(line)} className={styles.strong} d={pathOf(line)} />
        ))}
      </Row>
      <Axis player={player} />
    </section>
  );
}

const soundNote = ({ seam: { soundStep } }: SeamView): string =>
  soundStep ? t`${formatLevel(soundStep.from, 1)} to ${formatLevel(soundStep.to, 1)} LUFS` : '';

interface RowProps {
  name: string;
  measure: SeamMeasure;
  figure: string;
  note: string;
  children: ReactNode;
}

function Row({ name, measure, figure, note, children }: RowProps) {
  const isMeasured = measure.finding !== 'none';
  return (
    <div className={styles.mrow}>
      <div className={styles.ml}>
        <b>{name}</b>
      </div>
      <div className={styles.mg}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {isMeasured && children}
          <path className={styles.seam} d={`M${xOf(0)} 0v${HEIGHT}`} />
        </svg>
      </div>
      <div className={styles.mf}>
        <Finding of={measure} text={isMeasured ? figure : t`Not measured`} strong />
        <span className="t3">{isMeasured ? note : measure.why}</span>
      </div>
    </div>
  );
}

function Axis({ player }: { player: SyncPlayer }) {
  const { seconds } = usePlayerState(player);
  return (
    <div className={`${styles.mrow} ${styles.ax}`} aria-hidden="true">
      <div />
      <div className={styles.mg}>
        <span style={{ left: 0 }}>−1 s</span>
        <span style={{ left: '25%' }}>−0.5</span>
        <span className="t2" style={{ left: '50%' }}>
          {t`Link`}
        </span>
        <span style={{ left: '75%' }}>+0.5</span>
        <span style={{ left: '100%' }}>+1 s</span>
        <i className={styles.ph} style={{ left: `${xOf(seconds) / 10}%` }} />
      </div>
      <div />
    </div>
  );
}

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
