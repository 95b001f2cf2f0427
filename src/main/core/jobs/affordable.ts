import type { Nano } from '../../../shared/money.ts';
import { headroomFor, ledgerHeadroom } from '../ledger/index.ts';
import { nightGateOf } from '../night/index.ts';
import { type ReadDb, sql } from '../store/index.ts';
import type { JobRow } from './row.ts';

/**
 * Jobs that are blocked for money and could have it now. Only these are read: of the thousands that a cap holds back, the others are
 * compared inside the database, by the group of jobs that the same caps concern.
 */

/** Nobody knows its price, and the user has not let it go: it goes only where no hard cap concerns it. Word for word that of the index. */
const UNPRICED_HELD = `(price = 'null' AND unpriced_allowed = 0)`;
const SHORT_OF_MONEY = `jobs INDEXED BY jobs_short_of_money WHERE state = 'blocked' AND reason = 'budget'`;

/** Jobs that the same caps concern. */
interface Group {
  play: number;
  run_id: string | null;
  project_id: string | null;
  /** 1: of unknown price, and not let go. */
  held: number;
}

const groups = sql(
  'jobs.groupsShortOfMoney',
  `SELECT DISTINCT play, run_id, project_id, ${UNPRICED_HELD} AS held FROM ${SHORT_OF_MONEY}`,
);
const nextInGroup = sql(
  'jobs.nextAffordable',
  `SELECT * FROM jobs WHERE seq = (SELECT seq FROM ${SHORT_OF_MONEY} AND play = $play AND run_id IS $runId AND project_id IS $projectId
     AND ${UNPRICED_HELD} = $held AND (position, seq) > ($position, $seq) AND estimate_nano - reserved_nano <= $room
     ORDER BY position, seq LIMIT 1)`,
);

type QueuePosition = Pick<JobRow, 'position' | 'seq'>;
const FRONT: QueuePosition = { position: -Number.MAX_VALUE, seq: 0 };

/** The first job behind that place which fits under every cap that concerns it, as they are now. */
export function nextAffordable(db: ReadDb, now: number, behind: QueuePosition = FRONT): JobRow | undefined {
  const { position, seq } = behind;
  const rows = db.all<Group>(groups).flatMap(({ play, run_id: runId, project_id: projectId, held }) => {
    const room = headroomOf(db, { play, run_id: runId, project_id: projectId, held }, now);
    const row = db.one<JobRow>(nextInGroup, { play, runId, projectId, held, position, seq, room });
    return row ? [row] : [];
  });
  return rows.sort(inQueueOrder)[0];
}

function headroomOf(db: ReadDb, { play, run_id, project_id, held }: Group, now: number): Nano {
  const gate = nightGateOf(db, { run_id }, now);
  // It is taken out of the line for money, whatever it costs.
  if (gate.type === 'over') return Number.MAX_SAFE_INTEGER;
  const spender = { play: play === 1, projectId: project_id, runId: run_id, floorNano: gate.floorNano };
  const room = headroomFor(db, spender, gate.type === 'later' ? gate.at : now);
  return held === 1 && room < Infinity ? NOTHING_FITS : Math.min(room, ledgerHeadroom(db));
}

const NOTHING_FITS = -1;

/** These, and what has become affordable by the time it is its turn, in the order of the queue. */
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
