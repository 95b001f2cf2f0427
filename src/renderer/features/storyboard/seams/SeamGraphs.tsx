import type { ReactNode } from 'react';
import { EDGE_S, type MediaMeasures, MOMENTARY_STEP_S, WAVE_STEP_S } from '../../../../shared/film/measures.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { SyncPlayer } from '../../../player/syncPlayer.ts';
import { usePlayerState } from '../../../player/usePlayer.ts';
import { FindingGlyph, formatLevel } from '../../../ui/index.ts';
import { FIGURES, NAMES, type Seam, type SeamMeasure, type SeamMeasureName, type SeamView, SPOKEN } from './seam.ts';
import styles from './seams.module.css';

const measuresOf = (side: SeamView['sides'][number]) => ('measures' in side ? side.measures : undefined);

/** Three measures over one second before and after the link, on one axis. */
export function SeamGraphs({ view, player }: { view: SeamView; player: SyncPlayer }) {
  const { seam } = view;
  const sides = { before: measuresOf(view.sides[0]), after: measuresOf(view.sides[1]) };
  const colour = colourLines(sides);
  return (
    <section className={styles.meas} aria-label={t`Continuity`}>
      <Row of="frames" seam={seam} note={t`Motion around it ${seam.frames.around.toFixed(2)}`}>
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
      <Row of="colour" seam={seam} note="">
        {colour.faint.map((line) => (
          <path key={pathOf(line)} d={pathOf(line)} />
        ))}
        {colour.strong.map((line) => (
          <path key={pathOf(line)} className={styles.strong} d={pathOf(line)} />
        ))}
      </Row>
      <Row of="sound" seam={seam} note={soundNote(view)}>
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
  of: SeamMeasureName;
  seam: Seam;
  note: string;
  children: ReactNode;
}

function Row({ of, seam, note, children }: RowProps) {
  const measure = seam[of];
  const isMeasured = measure.finding !== 'none';
  return (
    <div className={styles.mrow}>
      <b>{NAMES[of]}</b>
      <div className={styles.mg}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {isMeasured && children}
          <path className={styles.seam} d={`M${xOf(0)} 0v${HEIGHT}`} />
        </svg>
      </div>
      {seam.frames.finding !== 'none' && (
        <div className={styles.mf}>
          <MeasureFinding name={of} of={measure} />
          {isMeasured && <span className="t3">{note}</span>}
        </div>
      )}
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

/** A level line is continuous, a step is a jump, a broken line is not measured. */
function Finding({ of: { finding }, text, strong }: { of: SeamMeasure; text: string; strong?: boolean }) {
  return (
    <span className={styles.find1}>
      <FindingGlyph of={finding} />
      <span className="vh">{SPOKEN[finding]} </span>
      {strong ? <b>{text}</b> : text}
    </span>
  );
}

/** The figure of a measure, or why there is none. */
export const MeasureFinding = ({ name, of }: { name: SeamMeasureName; of: SeamMeasure }) =>
  of.finding === 'none' ? (
    <Finding of={of} text={of.why ?? ''} />
  ) : (
    <Finding of={of} text={FIGURES[name](of.value)} strong />
  );

/** Geometry of the three measures over one second before and after a link. All share one axis, 1000 wide; a row is 52 high. */

export const WIDTH = 1_000;
export const HEIGHT = 52;
/** Seconds from the link → x. */
export const xOf = (seconds: number): number => (WIDTH / 2) * (1 + seconds / EDGE_S);

type Point = readonly [x: number, y: number];

export interface Bar {
  x: number;
  width: number;
  height: number;
  isSeam: boolean;
}

const BAR_HEIGHT = HEIGHT - 6;

interface Sides {
  before: MediaMeasures | undefined;
  after: MediaMeasures | undefined;
}

/**
 * Change from each frame to the next; the change across the link is drawn at the start of the second clip. Full height is the largest
 * change.
 */
export function bars({ before, after }: Sides, seam: number | undefined): Bar[] {
  const end = endOf(before);
  const steps = [
    ...(before?.pictures?.end ?? []).map(({ at, change }) => ({ at: at - end, change, isSeam: false })),
    ...(seam === undefined ? [] : [{ at: 0, change: seam, isSeam: true }]),
    ...(after?.pictures?.start.slice(1) ?? []).map(({ at, change }) => ({ at, change, isSeam: false })),
  ].filter(({ at }) => at >= -EDGE_S - 0.001 && at < EDGE_S);
  const highest = Math.max(0.02, ...steps.map(({ change }) => change ?? 0));
  const width = Math.max(2, (xOf(1 / (before?.pictures?.fps || 24)) - xOf(0)) * 0.7);
  return steps.map(({ at, change, isSeam }) => ({
    x: xOf(at) + 2,
    width,
    height: Math.max(1, ((change ?? 0) / highest) * BAR_HEIGHT),
    isSeam,
  }));
}

/** End of a clip's last frame, in seconds. */
const endOf = (side: MediaMeasures | undefined): number => {
  const { pictures } = side ?? {};
  const last = pictures?.end.at(-1)?.at ?? 0;
  return last + 1 / (pictures?.fps || 24);
};

/** Lightness, then the two chroma axes, each as one line before and one after the link. */
export function colourLines({ before, after }: Sides): { strong: Point[][]; faint: Point[][] } {
  const end = endOf(before);
  const frames = [
    (before?.pictures?.end ?? []).map(({ at, lab }) => ({ at: at - end, lab })),
    (after?.pictures?.start ?? []).map(({ at, lab }) => ({ at, lab })),
  ].map((side) => side.filter(({ at }) => Math.abs(at) <= EDGE_S + 0.001));
  const line = (pick: 0 | 1 | 2, y: (value: number) => number) =>
    frames.map((side) => side.map(({ at, lab }): Point => [xOf(at), y(lab[pick])]));
  return {
    strong: line(0, (lightness) => 30 - lightness * 0.26),
    faint: [...line(1, (a) => 37 - a * 0.12), ...line(2, (b) => 45 - b * 0.12)],
  };
}

/** Loudness over 400 ms as lines. A window is placed at its end before the link, and at its start after it. */
export function soundLines({ before, after }: Sides): Point[][] {
  const first = before?.sound?.momentary ?? [];
  const second = after?.sound?.momentary ?? [];
  const levels = [
    first.map((level, index) => ({ at: (index - first.length + 1) * MOMENTARY_STEP_S, level })),
    second.map((level, index) => ({ at: index * MOMENTARY_STEP_S, level })),
  ];
  return levels.map((side) =>
    side
      .filter(({ at, level }) => Math.abs(at) <= EDGE_S + 0.001 && level !== null)
      .map(({ at, level }): Point => [xOf(at), levelY(level ?? 0)]),
  );
}

/** −60 LUFS at the bottom, 0 at the top. */
const levelY = (level: number): number => 4 + (Math.min(60, Math.max(0, -level)) / 60) * (HEIGHT - 8);

/** The wave as one path of strokes around the middle. */
export function wavePath({ before, after }: Sides): string {
  const start = before?.sound?.waveEnd ?? [];
  const stroke = (at: number, peak: number) => {
    const half = Math.max(0.5, (peak / 255) * (HEIGHT / 2 - 2));
    return `M${xOf(at).toFixed(1)} ${(HEIGHT / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
  };
  return [
    ...start.map((peak, index) => stroke((index - start.length + 0.5) * WAVE_STEP_S, peak)),
    ...(after?.sound?.waveStart ?? []).map((peak, index) => stroke((index + 0.5) * WAVE_STEP_S, peak)),
  ].join('');
}

export const pathOf = (points: readonly Point[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
