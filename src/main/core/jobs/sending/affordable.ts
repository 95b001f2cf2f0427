import { type Budget, SCOPE_WORDS } from '../../../../shared/money/ledger.ts';
import { formatNano, type Nano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { dayOf, exceededSoftCaps, headroomFor, ledgerHeadroom, monthOf } from '../../ledger/index.ts';
import { currentNightRun, nightGateOf } from '../../night/index.ts';
import { type ReadDb, sql } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import type { JobRow } from '../row.ts';

/**
 * Jobs that a budget blocks and that now fit under it. Only these are read: thousands may be blocked, so the database compares the others,
 * grouped by the budgets that they share.
 */

/**
 * Price unknown and sending not allowed by the user: such a job is sent only without a hard budget. Must be identical to the expression of
 * the index.
 */
const UNPRICED_NOT_ALLOWED = `(price = 'null' AND unpriced_allowed = 0)`;
const SHORT_OF_MONEY = `jobs INDEXED BY jobs_short_of_money WHERE state = 'blocked' AND reason = 'budget'`;

/** Jobs that share the same budgets. */
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
     AND estimate_low_nano - reserved_low_nano <= $lowRoom
     ORDER BY position, seq LIMIT 1)`,
);

type QueuePosition = Pick<JobRow, 'position' | 'seq'>;
const FRONT: QueuePosition = { position: -Number.MAX_VALUE, seq: 0 };

/** The first job behind a position that fits under all of its budgets now. */
export function nextAffordable(db: ReadDb, now: number, behind: QueuePosition = FRONT): JobRow | undefined {
  const { position, seq } = behind;
  const rows = db
    .all<Group>(groups)
    .flatMap(({ play, run_id: runId, project_id: projectId, is_unpriced: isUnpriced }) => {
      const rooms = headroomOf(db, { play, run_id: runId, project_id: projectId, is_unpriced: isUnpriced }, now);
      const row = db.one<JobRow>(nextInGroup, { play, runId, projectId, isUnpriced, position, seq, ...rooms });
      return row ? [row] : [];
    });
  return rows.sort(inQueueOrder)[0];
}

/** The money left under budgets that count the higher price, and under that of a run that counts the lower price. */
interface Rooms {
  room: Nano;
  lowRoom: Nano;
}

function headroomOf(db: ReadDb, { play, run_id, project_id, is_unpriced }: Group, now: number): Rooms {
  const gate = nightGateOf(db, { run_id }, now);
  // The run is over, so the job no longer waits for money, whatever it costs.
  if (gate.type === 'over') return { room: ANYTHING, lowRoom: ANYTHING };
  const spender = { play: play === 1, projectId: project_id, runId: run_id, floorNano: gate.floorNano };
  const at = gate.type === 'later' ? gate.at : now;
  const [room, lowRoom] = [headroomFor(db, spender, at), headroomFor(db, spender, at, 'low')];
  const isHeld = is_unpriced === 1 && Math.min(room, lowRoom) < Infinity;
  return { room: isHeld ? NOTHING_FITS : Math.min(room, ledgerHeadroom(db)), lowRoom: Math.min(lowRoom, ANYTHING) };
}

const NOTHING_FITS = -1;
const ANYTHING = Number.MAX_SAFE_INTEGER;

/** A job by its place in the queue. */
export type QueuedJob = Pick<JobRow, 'id' | 'position' | 'seq'>;

/** The given jobs and, with `mayFit`, those that fit under their budgets by the time it is their turn, in queue order. */
export class DueInOrder {
  private readonly given: QueuedJob[];
  private readonly mayFit: boolean;
  private behind = FRONT;
  /** The next one that fits, until it is taken. */
  private affordable: QueuedJob | undefined;

  constructor(given: readonly QueuedJob[], mayFit: boolean) {
    this.given = [...given].sort(inQueueOrder).reverse();
    this.mayFit = mayFit;
  }

  /** Undefined after the last one. */
  take(db: ReadDb, now: number): QueuedJob | undefined {
    if (this.mayFit) this.affordable ??= nextAffordable(db, now, this.behind);
    const given = this.given.at(-1);
    if (given && (!this.affordable || inQueueOrder(given, this.affordable) < 0)) return this.given.pop();
    const next = this.affordable;
    this.affordable = undefined;
    this.behind = next ?? FRONT;
    return next;
  }
}

const inQueueOrder = (one: QueuePosition, other: QueuePosition): number =>
  one.position - other.position || one.seq - other.seq;

/** Warns once when a soft budget is exceeded; for daily and monthly budgets, once in each period. */
export class SoftCaps {
  private readonly deps: Pick<EngineDeps, 'store' | 'clock' | 'emit'>;
  private readonly known = new Set<string>();

  constructor(deps: SoftCaps['deps']) {
    this.deps = deps;
    this.capsChanged();
  }

  /** No warning after a change of a budget: the user who sets it sees whether it is exceeded. */
  capsChanged(): void {
    this.exceededAnew();
  }

  moneyChanged(): void {
    for (const { scope, softNano = 0 } of this.exceededAnew()) {
      const text = t`Over budget (${SCOPE_WORDS[scope]}, ${formatNano(softNano)}). This budget only warns.`;
      this.deps.emit({ type: 'notice', level: 'info', text });
    }
  }

  private exceededAnew(): Budget[] {
    const { store, clock } = this.deps;
    const now = clock.now();
    const runId = currentNightRun(store.read)?.id ?? null;
    const exceeded = [false, true].flatMap((play) => exceededSoftCaps(store.read, { play, runId }, now));
    return exceeded.filter(({ play, scope, softNano, ...of }) => {
      const period = scope === 'day' ? dayOf(now) : scope === 'month' ? monthOf(now) : (of.projectId ?? of.runId);
      const key = JSON.stringify([play, scope, period, softNano]);
      const isNew = !this.known.has(key);
      this.known.add(key);
      return isNew;
    });
  }
}
