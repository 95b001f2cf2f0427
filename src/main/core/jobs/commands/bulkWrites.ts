import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { LeftJob } from '../../../../shared/jobs/queueCalls.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/text/texts.ts';
import { nightRunById } from '../../night/index.ts';
import { isDiskFault, type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import { PER_SLICE, WorkQueue } from '../../timeSlicing.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import { streamDriverOf } from '../kinds/index.ts';
import { savePaused } from '../limits/lanes.ts';
import { isShortOfMoney, moveEachToNight, nightsOf } from '../nightMembership.ts';
import { type DiskFullWords, persist } from '../sending/persist.ts';
import { writeJob } from './enqueue.ts';
import * as changes from './userChanges.ts';

/**
 * Work on thousands of jobs, all or nothing, without blocking the thread: its rows are staged, one small transaction decides it, and slices
 * with turns of the event loop between them carry it out. None of its jobs is sent before the last slice. If the program ends early, the
 * next start removes rows that were only staged and finishes what was decided, before anything is sent. One transaction of 1,000 jobs takes
 * 0.4 s.
 */
type BulkTask =
  /** `profile`: with the prices at the time of the decision. */
  | { type: 'enqueue'; profile: Profile; runId: string | null }
  | { type: 'cancel' }
  /** Moves jobs into an overnight run or, without one, out of their runs. `from`: the runs that they leave. */
  | { type: 'night'; runId: string | null; from: string[] }
  | { type: 'move'; step: number };

/** Work that was decided. */
export interface Bulk {
  seq: number;
  task: BulkTask;
  /** In the order in which they are written. */
  ids: readonly string[];
}

/** One request to be enqueued, already validated. */
export interface BatchItem {
  request: StudioRequest;
  projectId?: string | undefined;
  night?: boolean | undefined;
}

/** `item`: the request of a new job; absent for an existing job. */
interface StagedRow {
  jobId: string;
  item?: BatchItem;
}

const begin = sql('bulk.begin', 'INSERT INTO bulk_writes DEFAULT VALUES RETURNING seq');
const stage = sql(
  'bulk.stage',
  `INSERT INTO bulk_rows (bulk, n, job_id, staged)
   SELECT $seq, $from + key, value ->> 'jobId', value -> 'item' FROM json_each($rows)`,
);
const decided = sql(
  'bulk.decide',
  'UPDATE bulk_writes SET task = $task, first_position = $first, last_position = $last WHERE seq = $seq',
);
const toFinish = sql('bulk.toFinish', 'SELECT seq, task FROM bulk_writes WHERE task IS NOT NULL ORDER BY seq');
const onlyStaged = sql('bulk.onlyStaged', 'SELECT seq FROM bulk_writes WHERE task IS NULL');
const idsOf = sql('bulk.ids', 'SELECT job_id AS id FROM bulk_rows WHERE bulk = $seq ORDER BY n');
const next = sql(
  'bulk.next',
  `SELECT n, job_id AS jobId, staged, first_position AS first FROM bulk_writes JOIN bulk_rows ON bulk = seq
   WHERE seq = $seq AND n >= done ORDER BY n LIMIT $limit`,
);
/** Clears the texts of finished rows. The ids alone are cheap to remove together at the end. */
const forgetTexts = sql(
  'bulk.forgetTexts',
  `UPDATE bulk_rows SET staged = NULL
   WHERE bulk = $seq AND n < $done AND n >= (SELECT done FROM bulk_writes WHERE seq = $seq)`,
);
const doneUpTo = sql('bulk.doneUpTo', 'UPDATE bulk_writes SET done = $done WHERE seq = $seq');
const removeRows = sql('bulk.removeRows', 'DELETE FROM bulk_rows WHERE bulk = $seq');
const removeOne = sql('bulk.remove', 'DELETE FROM bulk_writes WHERE seq = $seq');
const enqueuing = sql('bulk.enqueuing', `SELECT 1 FROM bulk_writes WHERE task ->> 'type' = 'enqueue' LIMIT 1`);

/** Starts a bulk write. Nothing in it counts before the decision. */
export const beginBulk = (db: WriteDb): number => db.one<{ seq: number }>(begin)?.seq ?? 0;

export function stageRows(db: WriteDb, seq: number, from: number, rows: readonly StagedRow[]): void {
  db.run(stage, { seq, from, rows: JSON.stringify(rows) });
}

/** Decides the work in the caller's transaction. `first` and `last`: the queue positions that are reserved for it from then on. */
export function decideBulk(
  db: WriteDb,
  bulk: Bulk,
  { first, last }: { first: number | null; last: number | null } = { first: null, last: null },
): Bulk {
  db.run(decided, { seq: bulk.seq, task: JSON.stringify(bulk.task), first, last });
  return bulk;
}

/** Decides a change of existing jobs. */
export function decideChange(
  db: WriteDb,
  task: Exclude<BulkTask, { type: 'enqueue' }>,
  ids: readonly string[],
  places?: { first: number; last: number },
): Bulk {
  const seq = beginBulk(db);
  stageRows(
    db,
    seq,
    0,
    ids.map((jobId) => ({ jobId })),
  );
  return decideBulk(db, { seq, task, ids }, places);
}

export function removeBulk(db: WriteDb, seq: number): void {
  db.run(removeRows, { seq });
  db.run(removeOne, { seq });
}

/** Whether a decided batch still has jobs to write. */
export const isEnqueuing = (db: ReadDb): boolean => db.one(enqueuing) !== undefined;

const bulkOf = (db: ReadDb, { seq, task }: { seq: number; task: string }): Bulk => ({
  seq,
  task: JSON.parse(task) as BulkTask,
  ids: db.all<{ id: string }>(idsOf, { seq }).map(({ id }) => id),
});

export interface BulkHooks {
  /** After a commit: sends what may be sent now. */
  announce(): void;
  abort(jobId: string): void;
  /** After a commit: canceled jobs are polled while their cost is unconfirmed. */
  canceled(ids: readonly string[]): void;
  /** Prevents these jobs from being sent until the returned function is called. */
  hold(ids: readonly string[]): () => void;
}

/** The result for the jobs. */
interface Changed {
  /** How many of the given jobs were changed. */
  count: number;
  /** How many other jobs changed with them. */
  others: number;
  left: LeftJob[];
}

interface Slice {
  isLast: boolean;
  /** All changed jobs. */
  ids: string[];
  count: number;
  left: LeftJob[];
  /** Answers that are being streamed and are not wanted any more. */
  streams: string[];
}

interface Row {
  n: number;
  jobId: string;
  staged: string | null;
  first: number;
}

export class BulkWrites {
  private readonly deps: EngineDeps;
  private readonly hooks: BulkHooks;
  /** Work is finished in the sequence of the decisions: of two about the same job, the later one counts. */
  private readonly queue = new WorkQueue();
  private closed = false;
  private cancelNotice: (() => void) | undefined;

  constructor(deps: EngineDeps, hooks: BulkHooks) {
    this.deps = deps;
    this.hooks = hooks;
  }

  /**
   * Must be called in the same turn as the decision: from then on none of the jobs is sent. After an error, they are held until the next
   * start.
   */
  async finish(bulk: Bulk): Promise<Changed> {
    const letGo = this.hooks.hold(bulk.ids);
    const changed = await this.queue.add(() => this.writeSlices(bulk));
    if (!this.closed) letGo();
    return changed;
  }

  /** Resolves when all work decided so far has ended, so that a rule covers a whole batch and not only the written part. */
  async settled(): Promise<void> {
    await this.queue.ended();
  }

  recover(): void {
    const { store, log } = this.deps;
    for (const { seq } of store.read.all<{ seq: number }>(onlyStaged)) store.transaction((db) => removeBulk(db, seq));
    let isFull = false;
    for (const row of store.read.all<{ seq: number; task: string }>(toFinish)) {
      try {
        const bulk = bulkOf(store.read, row);
        isFull ||= !this.isWrittenWhole(bulk);
        // The studio opens anyway; the jobs stay held.
        if (isFull)
          void this.finish(bulk).catch((error) =>
            log.error({ error: String(error) }, 'a change of many jobs cannot be finished; its jobs are held'),
          );
      } catch (error) {
        this.giveUp(row.seq, error);
      }
    }
  }

  /** False if the disk is full. */
  private isWrittenWhole(bulk: Bulk): boolean {
    try {
      while (!this.deps.store.transaction((db) => this.writeSlice(db, bulk, RECOVERED_PER_SLICE)).isLast);
      return true;
    } catch (error) {
      if (isDiskFault(error)) return false;
      throw error;
    }
  }

  /** The stored work is damaged. Jobs that it should have canceled would now be sent, so the queue is paused until the user has looked. */
  private giveUp(seq: number, error: unknown): void {
    const { store, log, clock, emit } = this.deps;
    log.error({ error: String(error) }, 'a change of many jobs was given up');
    store.transaction((db) => {
      removeBulk(db, seq);
      savePaused(db, undefined, true);
    });
    const notice = { type: 'notice', level: 'error', text: GIVEN_UP, about: 'a change of many jobs' } as const;
    this.cancelNotice = clock.after(PAGE_OPENS_MS, () => emit(notice));
  }

  /** The next start does the rest. */
  close(): void {
    this.closed = true;
    this.cancelNotice?.();
  }

  private async writeSlices(bulk: Bulk): Promise<Changed> {
    const size = bulk.task.type === 'move' ? MOVED_PER_SLICE : PER_SLICE;
    const changed: Changed = { count: 0, others: 0, left: [] };
    for (let isLast = false; !isLast; ) {
      const write = () => this.deps.store.transaction((db) => this.writeSlice(db, bulk, size));
      const slice = await persist(this.deps, () => this.closed, write, WAITS_FOR_ROOM);
      if (!slice) return changed;
      const { ids, count, left, streams } = slice;
      changed.count += count;
      changed.others += new Set(ids).size - count;
      changed.left.push(...left);
      for (const id of streams) this.hooks.abort(id);
      // None of the new jobs is sent yet.
      if (bulk.task.type !== 'enqueue') this.hooks.announce();
      if (bulk.task.type === 'cancel') this.hooks.canceled(ids);
      isLast = slice.isLast;
      if (!isLast) await nextTurn();
    }
    this.shareOut(bulk);
    return changed;
  }

  /** The last slice removes the record. Until then all jobs are known, so that another start holds them too. */
  private writeSlice(db: WriteDb, { seq, task }: Bulk, size: number): Slice {
    const found = db.all<Row>(next, { seq, limit: size + 1 });
    const rows = found.slice(0, size);
    const isLast = found.length <= size;
    const slice = this.writeEach(db, task, rows);
    if (isLast) removeBulk(db, seq);
    else for (const statement of [forgetTexts, doneUpTo]) db.run(statement, { seq, done: found.at(-1)?.n ?? 0 });
    return { ...slice, isLast };
  }

  /** A job that joins, leaves or moves may take the reservation of others. At a start, the money of the run is shared out anyway. */
  private shareOut(bulk: Bulk): void {
    const { read } = this.deps.store;
    for (const runId of new Set(nightsOfChange(read, bulk)))
      if (isShortOfMoney(read, runId)) this.deps.events.emit('night.changed', runId);
  }

  private writeEach(db: WriteDb, task: BulkTask, rows: readonly Row[]): Omit<Slice, 'isLast'> {
    const ids = rows.map(({ jobId }) => jobId);
    if (task.type === 'cancel') return this.cancelEach(db, ids);
    const all = (changed: string[]) => ({ ids: changed, count: changed.length, left: [], streams: [] });
    if (task.type === 'move') {
      const [{ n = 0, first = 0 } = {}] = rows;
      return all(changes.moveEach(db, ids, (index) => first + task.step * (n + index)));
    }
    const run = task.runId === null ? undefined : nightRunById(db, task.runId);
    if (task.type === 'enqueue') return all(this.enqueueEach(db, rows, task.profile, run));
    return all(task.runId !== null && !run ? [] : moveEachToNight(this.deps, db, ids, run));
  }

  private enqueueEach(
    db: WriteDb,
    rows: readonly Row[],
    decidedAt: Profile,
    run: ReturnType<typeof nightRunById>,
  ): string[] {
    // The prices may have changed since the decision, as for other waiting jobs.
    const profile = this.deps.profiles.get(decidedAt.id) ?? decidedAt;
    return rows.map(({ n, jobId, staged, first }) => {
      const { request, projectId, night } = JSON.parse(staged ?? '') as BatchItem;
      const place = { position: first + n, run: night ? run : undefined, requestedAt: decidedAt };
      return writeJob(this.deps, db, request, { id: jobId, profile, input: { projectId }, ...place });
    });
  }

  private cancelEach(db: WriteDb, ids: readonly string[]): Omit<Slice, 'isLast'> {
    const slice = { ids: [] as string[], count: 0, left: [] as LeftJob[], streams: [] as string[] };
    for (const id of ids) {
      const row = rowById(db, id);
      if (!row) continue;
      const isStream = streamDriverOf(row) !== undefined;
      const canceled = changes.cancel(this.deps, db, row);
      if (!canceled.ok) {
        slice.left.push({ id, message: canceled.error.message });
        continue;
      }
      slice.ids.push(...canceled.data);
      slice.count += 1;
      if (isStream) slice.streams.push(id);
    }
    return slice;
  }
}

function nightsOfChange(db: ReadDb, { task, ids }: Bulk): string[] {
  if (task.type === 'move') return nightsOf(db, ids);
  if (task.type !== 'night') return [];
  return task.runId === null ? task.from : [...task.from, task.runId];
}

/** A moved job is one write. */
const MOVED_PER_SLICE = 200;
/** During a start nothing else needs a turn, so slices are larger. */
const RECOVERED_PER_SLICE = 500;

/** By this time after a start, a page is open to show notices. */
const PAGE_OPENS_MS = 5_000;
const GIVEN_UP = t`A change of many jobs is damaged on disk and was not finished. The queue is paused: check it, then resume.`;
const WAITS_FOR_ROOM: DiskFullWords = {
  log: 'a change of many jobs cannot be written further yet',
  full: t`The disk is full or cannot be written. A change of many jobs waits for space; none of them is sent before.`,
  about: 'room for changes',
};
