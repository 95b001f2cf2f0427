import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { TotalsRow } from '../../../shared/money/ledger.ts';
import { formatNano, NANO_PER_DOLLAR, type Nano } from '../../../shared/money/money.ts';
import { useStudio } from '../../app/index.ts';
import styles from './spend.module.css';

export interface ChartProps {
  rows: readonly TotalsRow[];
  /** Under each bar. */
  labels: readonly string[];
  /** A dashed line with its name, where there is a cap. */
  cap?: { nano: Nano; name: string } | undefined;
  /** What the chart is, for those who do not see it; the table beside it has the figures. */
  label: string;
}

const HEIGHT = 210;
const dollars = (nano: Nano): number => nano / NANO_PER_DOLLAR;

/** Bars that start at zero and stack by texture: filled, outlined, hatched. */
export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useStudio((state) => state.settings?.theme);
  const { rows, labels, cap, label } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the theme, so a new one draws anew.
  useEffect(() => {
    const element = place.current;
    if (!element || rows.length === 0) return;
    const chart = new uPlot(optionsOf(element, labels, cap), dataOf(rows), element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [rows, labels, cap, theme]);
  return <div ref={place} className={`num ${styles.chart}`} role="img" aria-label={label} />;
}

/** The top of a part of the stack; none where the part is nothing, so that nothing draws no line. */
const top = (height: Nano, part: Nano): number | null => (part > 0 ? dollars(height) : null);

/** Tops of the stack, the highest first, so that the lower parts are drawn over them. */
function dataOf(rows: readonly TotalsRow[]): uPlot.AlignedData {
  return [
    rows.map((_, index) => index),
    rows.map((row) => top(row.settledNano + row.reservedNano + row.uncertainNano, row.uncertainNano)),
    rows.map((row) => top(row.settledNano + row.reservedNano, row.reservedNano)),
    rows.map((row) => top(row.settledNano, row.settledNano)),
  ];
}

function optionsOf(element: HTMLElement, labels: readonly string[], cap: ChartProps['cap']): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const bars = uPlot.paths.bars?.({ size: [0.6, 64, 1], align: 0 });
  const axis = {
    stroke: colour('--text-3'),
    font: '12px Inter',
    ticks: { show: false },
    gap: 6,
  };
  const part = (fill: uPlot.Series.Fill, stroke: string): uPlot.Series => ({
    fill,
    stroke,
    width: 1,
    points: { show: false },
    ...(bars ? { paths: bars } : {}),
  });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [-0.6, labels.length - 0.4] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.08, cap ? dollars(cap.nano) * 1.06 : 0, 0.01)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        splits: () => labels.map((_, index) => index).filter((index) => index % Math.ceil(labels.length / 31) === 0),
        values: (_, splits) => splits.map((index) => labels[index] ?? ''),
      },
      {
        ...axis,
        size: 52,
        grid: { stroke: colour('--line'), width: 1 },
        values: (_, splits) => splits.map(axisDollars),
      },
    ],
    series: [
      {},
      part(() => hatch(colour('--doubt')), colour('--doubt')),
      part(colour('--bg-panel'), colour('--money-reserved')),
      part(colour('--money-settled'), colour('--money-settled')),
    ],
    hooks: { draw: cap ? [(chart) => drawCap(chart, cap, colour('--text-2'), colour('--text-3'))] : [] },
  };
}

const axisDollars = (value: number): string =>
  Number.isInteger(value) ? `$${value}` : formatNano(Math.round(value * NANO_PER_DOLLAR));

/** The texture of doubt, as in the style sheet: 2 px lines every 5 px at 135°. */
function hatch(colour: string): CanvasPattern | string {
  const scale = window.devicePixelRatio;
  const tile = document.createElement('canvas');
  const size = 7 * scale;
  tile.width = size;
  tile.height = size;
  const context = tile.getContext('2d');
  if (!context) return colour;
  context.strokeStyle = colour;
  context.lineWidth = 2 * scale;
  for (const shift of [-size, 0, size]) {
    context.beginPath();
    context.moveTo(shift, size);
    context.lineTo(shift + size, 0);
    context.stroke();
  }
  return context.createPattern(tile, 'repeat') ?? colour;
}

function drawCap(chart: uPlot, cap: { nano: Nano; name: string }, line: string, text: string): void {
  const { ctx, bbox } = chart;
  const y = chart.valToPos(dollars(cap.nano), 'y', true);
  ctx.save();
  ctx.strokeStyle = line;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.fillStyle = text;
  ctx.font = `${12 * devicePixelRatio}px Inter`;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'top';
  ctx.fillText(cap.name, bbox.left + bbox.width, y + 4 * devicePixelRatio);
  ctx.restore();
}
