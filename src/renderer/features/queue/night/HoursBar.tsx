import { formatClock } from '../../../ui/index.ts';
import styles from '../queue.module.css';

const HOUR_MS = 3_600_000;
const AROUND_MS = 2 * HOUR_MS;

export interface HoursBarProps {
  startsAt: number;
  endsAt: number;
  /** When the last job would be ready. */
  endsAbout?: number | undefined;
  now: number;
}

/** The hours of a night: the window outlined, what its jobs would take filled. The figures stand below in words. */
export function HoursBar({ startsAt, endsAt, endsAbout, now }: HoursBarProps) {
  const from = Math.floor((startsAt - AROUND_MS) / HOUR_MS) * HOUR_MS;
  const to = Math.ceil((endsAt + AROUND_MS) / HOUR_MS) * HOUR_MS;
  const at = (time: number) => `${(Math.min(1, Math.max(0, (time - from) / (to - from))) * 100).toFixed(2)}%`;
  const wide = (start: number, end: number) => ({ left: at(start), right: `calc(100% - ${at(end)})` });
  const worksFrom = Math.max(startsAt, Math.min(now, endsAt));
  const every = (to - from) / HOUR_MS > 14 ? 4 : 2;
  const marks = Array.from(
    { length: Math.floor((to - from) / HOUR_MS / every) + 1 },
    (_, n) => from + n * every * HOUR_MS,
  );
  return (
    <div aria-hidden="true">
      <div className={styles.hoursTrack}>
        <i className={styles.window} style={wide(startsAt, endsAt)} />
        {endsAbout !== undefined && <i className={styles.works} style={wide(worksFrom, Math.min(endsAbout, endsAt))} />}
        {now > from && now < to && <i className={styles.now} style={{ left: at(now) }} />}
      </div>
      <div className={styles.hoursMarks}>
        {marks.map((time) => (
          <span key={time} style={{ left: at(time) }}>
            {formatClock(time).slice(0, 2)}
          </span>
        ))}
      </div>
    </div>
  );
}
