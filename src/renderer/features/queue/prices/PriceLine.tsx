import type { MismatchEvidence, PricedRequest, PriceMismatch } from '../../../../shared/money/ledger.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useNow } from '../../../app/index.ts';
import { formatClock, formatWhen, TableHead } from '../../../ui/index.ts';
import styles from './prices.module.css';

const TOP = 24;
const FLOOR = 160;
const HEIGHT = 184;

/** Where the n-th of so many stands: a share of the width, clear of both ends. */
const across = (n: number, count: number): number => ((n + 0.5) / count) * 100;

interface PriceLineProps {
  made: MismatchEvidence['made'];
  mismatch: PriceMismatch;
}

/** What each order at this price was charged, beside what it was expected to cost. Zero is the floor; the table has the same figures. */
export function PriceLine({ made, mismatch }: PriceLineProps) {
  const now = useNow(60_000);
  const most = Math.max(1, mismatch.statedNano, ...made.map(({ nano, expectedNano }) => Math.max(nano, expectedNano)));
  const up = (nano: number): number => FLOOR - (nano / most) * (FLOOR - TOP);
  const x = (n: number): string => `${across(n, made.length)}%`;
  const half = 50 / made.length;
  const lines = linesOf(mismatch, up);
  const every = Math.max(1, Math.ceil(made.length / 6));
  return (
    <div className={styles.priceLine}>
      <svg width="100%" height={HEIGHT} aria-hidden="true">
        {lines.map(({ nano, y }) => (
          <text key={nano} x="100%" y={y + 4} textAnchor="end">
            {formatNano(nano)}
          </text>
        ))}
      </svg>
      <svg width="100%" height={HEIGHT} aria-hidden="true">
        {lines.map(({ nano, y }) => (
          <line key={nano} className={styles.grid} x1="0" x2="100%" y1={y} y2={y} />
        ))}
        {made.map((order, n) => (
          <line
            key={order.jobId}
            className={styles.book}
            x1={`${across(n, made.length) - half}%`}
            x2={`${across(n, made.length) + half}%`}
            y1={up(order.expectedNano)}
            y2={up(order.expectedNano)}
          />
        ))}
        {made.map((order, n) => (
          <Point
            key={order.jobId}
            order={order}
            isStopping={order.jobId === mismatch.jobId}
            x={x(n)}
            y={up(order.nano)}
            anchor={n > made.length / 2 ? 'end' : 'start'}
            day={n % every === 0 ? formatWhen(order.at, now) : undefined}
          />
        ))}
      </svg>
      <PriceTable made={made} now={now} />
    </div>
  );
}

interface PointProps {
  order: PricedRequest;
  /** Whether it is the order that stopped the price. */
  isStopping: boolean;
  x: string;
  y: number;
  anchor: 'start' | 'end';
  /** What stands under it. */
  day: string | undefined;
}

const Point = ({ order, isStopping, x, y, anchor, day }: PointProps) => (
  <g>
    {order.isStated ? (
      <circle
        className={isStopping ? `${styles.stated} ${styles.it}` : styles.stated}
        cx={x}
        cy={y}
        r={isStopping ? 6 : 4}
      />
    ) : (
      <circle className={styles.byBook} cx={x} cy={y} r={2.5} />
    )}
    {isStopping && (
      <text className={styles.now} x={x} y={y - 10} textAnchor={anchor}>
        {formatNano(order.nano)}, {formatClock(order.at)}
      </text>
    )}
    {day !== undefined && (
      <text x={x} y={HEIGHT - 6} textAnchor="middle">
        {day}
      </text>
    )}
  </g>
);

const PriceTable = ({ made, now }: Pick<PriceLineProps, 'made'> & { now: number }) => (
  <table className="vh">
    <caption>{t`Requests at this price, oldest first`}</caption>
    <TableHead heads={[t`When`, t`Expected`, t`Charged`, t`Said by`]} />
    <tbody>
      {made.map((order) => (
        <tr key={order.jobId}>
          <td>{formatWhen(order.at, now)}</td>
          <td>{formatNano(order.expectedNano)}</td>
          <td>{formatNano(order.nano)}</td>
          <td>{order.isStated ? t`the answer` : t`the price book`}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The lines that have a figure: nothing, expected, stated; one that would touch another is left out. */
function linesOf({ expectedNano, statedNano }: PriceMismatch, up: (nano: number) => number) {
  const lines: { nano: number; y: number }[] = [];
  for (const nano of [statedNano, expectedNano, 0]) {
    const y = up(nano);
    if (lines.every((line) => Math.abs(line.y - y) >= 16)) lines.push({ nano, y });
  }
  return lines;
}
