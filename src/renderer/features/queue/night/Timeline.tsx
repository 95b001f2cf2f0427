import type { CapReading, DryRun, NightReport } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { takeName } from '../../../app/index.ts';
import { formatClock, formatCount, formatSpan, priceText } from '../../../ui/index.ts';
import { useProjectTakes } from '../takeNames.tsx';
import styles from './night.module.css';
import { type BarRow, rowsOf } from './plannedBars.ts';

const HOUR_MS = 3_600_000;

export interface TimelineProps {
  startsAt: number;
  endsAt: number;
  now: number;
  capNano: number;
  /** Which price counts against the budget. */
  capReading: CapReading;
  dry: DryRun | undefined;
  sent: NightReport['sent'];
  /** Including those that are not listed. */
  sentCount?: number;
}

/** One drawing for plan, run and report: outlined is planned, filled is done. Midnight is dashed, since the budgets of two days pay. */
export function Timeline({ sentCount, ...night }: TimelineProps) {
  const { startsAt, endsAt, now, capNano, capReading, dry, sent } = night;
  const left = leftOut({ dry, sent, sentCount });
  const scale = (time: number) => Math.min(1, Math.max(0, (time - startsAt) / (endsAt - startsAt)));
  const at = (time: number) => `${(scale(time) * 100).toFixed(2)}%`;
  const hours = hoursOf(startsAt, endsAt);
  const isOn = now > startsAt && now < endsAt;
  const notes = new Map((dry?.lanes ?? []).map((lane) => [lane.lane, laneNotes(lane)]));
  const rows = rowsOf(dry, sent, now, (lane) => notes.get(lane) ?? []);
  return (
    <section className={styles.gantt} aria-label={t`The run by the hour`}>
      <div className={`${styles.gl1} ${styles.gax}`} aria-hidden="true">
        <div className={styles.gn} />
        <div className={styles.gt}>
          {hours.map((time) => (
            <span key={time} style={{ left: at(time) }}>
              {formatClock(time).slice(0, 2)}
            </span>
          ))}
        </div>
      </div>
      <div className={styles.gbody}>
        <div className={styles.gover} aria-hidden="true">
          {hours.map((time) => (
            <i
              key={time}
              className={new Date(time).getHours() === 0 ? `${styles.hr} ${styles.mid}` : styles.hr}
              style={{ left: at(time) }}
            />
          ))}
          {!isOn && dry?.endsAbout !== undefined && (
            <i
              className={`${styles.nowl} end`}
              data-side={sideOf(scale(dry.endsAbout))}
              style={{ left: at(dry.endsAbout) }}
            >
              <b>{t`Ends ${formatClock(dry.endsAbout)}`}</b>
            </i>
          )}
          {isOn && (
            <i className={styles.nowl} data-side={sideOf(scale(now))} style={{ left: at(now) }}>
              <b>{formatClock(now)}</b>
            </i>
          )}
        </div>
        {rows.map((row) => (
          <Lane key={row.key} row={row} scale={scale} />
        ))}
        <Money dry={dry} sent={sent} capNano={capNano} capReading={capReading} scale={scale} now={now} />
      </div>
      {left && <p className="t3">{left}</p>}
    </section>
  );
}

/** The jobs of a long run that are not drawn; their money is. */
function leftOut({ dry, sent, sentCount = sent.length }: Pick<TimelineProps, 'dry' | 'sent' | 'sentCount'>) {
  const { fits = [], fitCount = 0 } = dry ?? {};
  const [drawn, all] = [sent.length + fits.length, sentCount + fitCount];
  return all > drawn && t`Shows ${formatCount(drawn)} of ${formatCount(all)} jobs. Totals include all.`;
}

/** The jobs of one slot of a lane, each named if there is room. */
function Lane({ row: { name, note, bars }, scale }: { row: BarRow; scale: (time: number) => number }) {
  const takes = useProjectTakes();
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`;
  return (
    <div className={styles.gl1}>
      <div className={styles.gn}>
        <b>{name}</b>
        <span className="t3">{note}</span>
      </div>
      <div className={styles.gt} aria-hidden="true">
        {bars.map(({ jobId, from, to, look }) => {
          const take = takes.get(jobId);
          const when = t`${formatClock(from)} to ${formatClock(to)}`;
          return (
            <i
              key={`${jobId} ${from}`}
              className={styles.gb}
              data-look={look}
              title={take ? `${takeName(take)}, ${when}` : when}
              style={{
                left: percent(scale(from)),
                width: `max(3px, calc(${percent(scale(to) - scale(from))} - 2px))`,
              }}
            >
              {take && `${take.shot} T${take.take}`}
            </i>
          );
        })}
      </div>
    </div>
  );
}

/** Near the right edge, labels only fit before the line. */
const sideOf = (place: number): 'before' | undefined => (place > 0.88 ? 'before' : undefined);

/** Notes of a lane, one line each: how long its jobs take, and how many run at once. */
const laneNotes = ({ shortestMs, longestMs, atOnce }: DryRun['lanes'][number]): string[] => {
  const each =
    shortestMs === longestMs ? formatSpan(longestMs) : t`${formatSpan(shortestMs)} to ${formatSpan(longestMs)}`;
  return [t`${each} each`, ...(atOnce > 1 ? [t`${atOnce} at once`] : [])];
};

function hoursOf(startsAt: number, endsAt: number): number[] {
  const first = Math.ceil(startsAt / HOUR_MS) * HOUR_MS;
  const every = endsAt - startsAt > 14 * HOUR_MS ? 2 * HOUR_MS : HOUR_MS;
  return Array.from({ length: Math.floor((endsAt - first) / every) + 1 }, (_, n) => first + n * every);
}

interface MoneyProps extends Pick<TimelineProps, 'dry' | 'sent' | 'capNano' | 'capReading' | 'now'> {
  scale: (time: number) => number;
}

/** Money under its budget by the price that counts: spent is filled, planned a line, the other price dashed. */
function Money({ dry, sent, capNano, capReading, scale, now }: MoneyProps) {
  const isLow = capReading === 'low';
  const steps = dry?.money ?? [];
  const last = steps.at(-1);
  const unpriced = (dry?.unpriced ?? 0) + sent.filter((job) => job.unpriced).length;
  const top = Math.max(capNano, last?.nano ?? 0, sent.at(-1)?.countedByThenNano ?? 0, 1) * 1.04;
  const y = (nano: number) => 58 - (nano / top) * 56;
  // Planned spending begins now; actual spending is drawn before that.
  const x = (at: number) => scale(Math.max(at, now));
  const dear = pathOf(steps.map((step) => [x(step.at), y(step.nano)]));
  const cheap = pathOf(steps.map((step) => [x(step.at), y(step.lowNano)]));
  const made = sent.map(({ startsAt, countedByThenNano }): [number, number] => [scale(startsAt), y(countedByThenNano)]);
  const done =
    made.length === 0
      ? ''
      : `M${((made[0]?.[0] ?? 0) * 1000).toFixed(1)} 58${pathOf(made, scale(now)).replace('M', 'L')}V58Z`;
  return (
    <div className={`${styles.gl1} ${styles.gm}`}>
      <div className={styles.gn}>
        <b>{t`Money`}</b>
        <span className="t3">{isLow ? t`Lower price` : t`Higher price`}</span>
      </div>
      <div className={styles.gt}>
        <svg viewBox="0 0 1000 60" preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.cap} d={`M0 ${y(capNano).toFixed(1)}H1000`} />
          {done && <path className={styles.fillm} d={done} />}
          <path className={styles.counts} d={isLow ? cheap : dear} />
          <path className={styles.other} d={isLow ? dear : cheap} />
        </svg>
        <span className={styles.capt} style={{ top: y(capNano) > 36 ? y(capNano) - 15 : y(capNano) + 3 }}>
          {t`Budget ${formatNano(capNano)}`}
        </span>
        {last && <EndOfMoney step={last} isLow={isLow} unpriced={unpriced} />}
      </div>
    </div>
  );
}

interface EndOfMoneyProps {
  step: DryRun['money'][number];
  isLow: boolean;
  /** How many jobs have no known price, and are in neither total. */
  unpriced: number;
}

/** The total at both prices, the counted one first. */
function EndOfMoney({ step: { nano, lowNano }, isLow, unpriced }: EndOfMoneyProps) {
  const words = [t`${formatNano(nano)} at most`, t`${formatNano(lowNano)} at least`];
  const [counts, other] = isLow ? words.toReversed() : words;
  return (
    <span className={styles.endt} style={{ right: 4, top: 22 }}>
      {unpriced > 0 ? priceText(nano, lowNano, 'most', unpriced) : counts}{' '}
      {unpriced === 0 && lowNano !== nano && <span className="t3">{other}</span>}
    </span>
  );
}

/** A stepping line through points of 0 to 1 across, to `end`. */
function pathOf(points: readonly (readonly [x: number, y: number])[], end = 1): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const steps = rest.map(([x, y]) => `H${(x * 1000).toFixed(1)}V${y.toFixed(1)}`).join('');
  return `M${(first[0] * 1000).toFixed(1)} ${first[1].toFixed(1)}${steps}H${(end * 1000).toFixed(1)}`;
}
