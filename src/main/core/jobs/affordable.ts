import type { Nano } from '../../../shared/money.ts';
import { headroomFor, ledgerHeadroom } from '../ledger/index.ts';
import { nightGateOf } from '../night/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import type { JobRow } from './row.ts';

/**
 * Jobs that are blocked by a cap and fit under it now. Only these are read: of the thousands that a cap may block, the others are compared
 * inside the database, by the group of jobs that share the same caps.
 */

/** Of unknown price and not allowed by the user: such a job is sent only without a hard cap. Must be identical to the expression of the index. */
const UNPRICED_NOT_ALLOWED = `(price = 'null' AND unpriced_allowed = 0)`;
const SHORT_OF_MONEY = `jobs INDEXED BY jobs_short_of_money WHERE state = 'blocked' AND reason = 'budget'`;

/** Jobs that share the same caps. */
interface Group {
  play: number;
  run_id: string | null;
  project_id: string | null;
  /** 1: of unknown price, and not allowed by the user. */
  is_unpriced: number;
}

const groups = sql(
  'jobs.groupsShortOfMoney',
  `SELECT DISTINCT play, run_id, project_id, ${UNPRICED_NOT_ALLOWED} AS is_unpriced FROM ${SHORT_OF_MONEY}`,
);
const nextInGroup = sql(
  'jobs.nextAffordable',
  `SELECT * FROM jobs WHERE seq = (SELECT seq FROM ${SHORT_OF_MONEY} AND play = $play AND run_id IS $runId AND project_id IS $projectId
     AND ${UNPRICED_NOT_ALLOWED} = $isUnpriced AND (position, seq) > ($position, $seq) AND estimate_nano - reserved_nano <= $room
     ORDER BY position, seq LIMIT 1)`,
);

type QueuePosition = Pick<JobRow, 'position' | 'seq'>;
const FRONT: QueuePosition = { position: -Number.MAX_VALUE, seq: 0 };

/** The first job behind a position that fits under all of its caps, as they are now. */
export function nextAffordable(db: ReadDb, now: number, behind: QueuePosition = FRONT): JobRow | undefined {
  const { position, seq } = behind;
  const rows = db
    .all<Group>(groups)
    .flatMap(({ play, run_id: runId, project_id: projectId, is_unpriced: isUnpriced }) => {
      const room = headroomOf(db, { play, run_id: runId, project_id: projectId, is_unpriced: isUnpriced }, now);
      const row = db.one<JobRow>(nextInGroup, { play, runId, projectId, isUnpriced, position, seq, room });
      return row ? [row] : [];
    });
  return rows.sort(inQueueOrder)[0];
}

function headroomOf(db: ReadDb, { play, run_id, project_id, is_unpriced }: Group, now: number): Nano {
  const gate = nightGateOf(db, { run_id }, now);
  // Its night is over, so it no longer waits for money, whatever it costs.
  if (gate.type === 'over') return Number.MAX_SAFE_INTEGER;
  const spender = { play: play === 1, projectId: project_id, runId: run_id, floorNano: gate.floorNano };
  const room = headroomFor(db, spender, gate.type === 'later' ? gate.at : now);
  return is_unpriced === 1 && room < Infinity ? NOTHING_FITS : Math.min(room, ledgerHeadroom(db));
}

const NOTHING_FITS = -1;

/** Yields the given jobs and those that fit under their caps by the time it is their turn, in the order of the queue. */
export function* withAffordable(db: ReadDb, now: number, rows: readonly JobRow[]): Generator<JobRow> {
  const others = [...rows].sort(inQueueOrder);
  let affordable = nextAffordable(db, now);
  for (;;) {
    const [other] = others;
    const next = other && (!affordable || inQueueOrder(other, affordable) < 0) ? others.shift() : affordable;
    if (!next) return;
    yield next;
    if (next === affordable) affordable = nextAffordable(db, now, next);
  }
}

const inQueueOrder = (one: QueuePosition, other: QueuePosition): number =>
  one.position - other.position || one.seq - other.seq;
