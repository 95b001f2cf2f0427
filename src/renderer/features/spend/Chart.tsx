import type { TotalsRow } from '../../../shared/money/ledger.ts';
import { formatNano, NANO_PER_DOLLAR, type Nano } from '../../../shared/money/money.ts';
import { formatLocale } from '../../../shared/text/texts.ts';
import styles from './spend.module.css';

export interface ChartProps {
  rows: readonly TotalsRow[];
  /** Labels under the bars. */
  labels: readonly string[];
  /** A dashed line with its name, if there is a budget. */
  cap?: { nano: Nano; name: string } | undefined;
  /** Describes the chart for screen readers; the table beside it has the numbers. */
  label: string;
}

/** `200K`: an axis has room for few digits only. */
const short = new Intl.NumberFormat(formatLocale(), { notation: 'compact' });

const CENT = NANO_PER_DOLLAR / 100;
/** Up to this many days or months, every bar has room for its name. */
const NAMED = { day: 31, month: 10 };

/** The parts of a bar, from the bottom. A part that is 0, or negative after a refund, has no height. */
const PARTS = [
  ['s', 'settledNano'],
  ['r', 'reservedNano'],
  ['d', 'uncertainNano'],
] as const;

/** Bars that start at zero and stack by texture: filled, outlined, hatched. */
export function Chart({ rows, labels, cap, label }: ChartProps) {
  const parts = rows.map((row) => PARTS.filter(([, field]) => row[field] > 0));
  const heights = rows.map((row, index) => (parts[index] ?? []).reduce((sum, [, field]) => sum + row[field], 0));
  const most = Math.max(...heights, cap?.nano ?? 0, CENT) * 1.08;
  const step = stepOf(most);
  const share = (nano: Nano) => `${((nano / most) * 100).toFixed(2)}%`;
  const every = Math.ceil(labels.length / ((labels[0]?.length ?? 0) > 2 ? NAMED.month : NAMED.day));
  return (
    <div className={`num ${styles.chart}`} role="img" aria-label={label}>
      {Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step).map((nano) => (
        <i key={nano} style={{ bottom: share(nano) }}>
          <span>{nano % NANO_PER_DOLLAR === 0 ? `$${short.format(nano / NANO_PER_DOLLAR)}` : formatNano(nano)}</span>
        </i>
      ))}
      {rows.map((row, index) => (
        <div key={row.key}>
          {parts[index]?.map(([texture, field]) => (
            <b key={field} className={`sw ${texture}`} style={{ height: share(row[field]) }} />
          ))}
          <span>{index % every === 0 && labels[index]}</span>
        </div>
      ))}
      {cap && (
        <i className={styles.cap} style={{ bottom: share(cap.nano) }}>
          <span>{cap.name}</span>
        </i>
      )}
    </div>
  );
}

/** The step of the axis: 1, 2 or 5 times a power of ten, at most five steps. */
function stepOf(most: Nano): Nano {
  const power = 10 ** Math.floor(Math.log10(most / 5));
  return [1, 2, 5].map((times) => times * power).find((step) => most / step <= 5) ?? 10 * power;
}
