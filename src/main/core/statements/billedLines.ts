import type { BillOfJob } from '../../../shared/evidence/document.ts';
import { type ReadDb, sql } from '../store/index.ts';

/** The lines of the newest bill that has the id, together: a job may stand on a bill twice. */
const byRemoteId = sql(
  'statements.billed',
  `SELECT l.remote_id AS remoteId, sum(l.nano) AS nano, min(l.line) AS line, count(*) AS lines, s.name, s.read_at AS readAt
   FROM json_each($remoteIds) w CROSS JOIN statement_lines l ON l.remote_id = w.value AND l.remote_id <> ''
     JOIN statements s ON s.id = l.statement_id AND s.profile_id = $profileId AND s.complete = 1
   GROUP BY l.remote_id, l.statement_id ORDER BY s.read_at, s.seq`,
);

type Row = BillOfJob & { remoteId: string; name: string | null };

/** What the bills of this gateway that were read have for these ids of the service; those that no bill has are left out. */
export function billedLines(db: ReadDb, profileId: string, remoteIds: readonly string[]): Map<string, BillOfJob> {
  const rows = db.all<Row>(byRemoteId, { profileId, remoteIds: JSON.stringify(remoteIds) });
  // The newest comes last, and is the one that counts.
  return new Map(
    rows.map(({ remoteId, name, ...bill }) => [remoteId, name === null ? bill : { ...bill, name }] as const),
  );
}
