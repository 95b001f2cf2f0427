import { type ReadDb, sql } from '../store/index.ts';

/** Among the newest of its kind only, so that reading it takes no longer in a large library. */
const recent = sql(
  'jobs.recentDurations',
  `SELECT ms FROM (
     SELECT model, finished_at - sent_at AS ms FROM jobs INDEXED BY jobs_ended
     WHERE finished_at IS NOT NULL AND state = 'succeeded' AND kind = $kind ORDER BY finished_at DESC LIMIT 500
   ) WHERE model IS $model AND ms IS NOT NULL LIMIT 15`,
);

/** How long jobs of this kind and model usually take, in milliseconds: the median of recent ones, undefined if there are none. */
export function usualMs(db: ReadDb, kind: string, model: string | null): number | undefined {
  const times = db.all<{ ms: number }>(recent, { kind, model }).map(({ ms }) => ms);
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}
