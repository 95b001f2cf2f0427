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
 * Work on thousands of jobs, all or nothing, without holding the thread: its rows are staged, one small transaction decides it, and slices
 * with turns between them carry it out. Until the last slice none of its jobs is sent. Where the program ends before, the next start
 * removes what was only staged and finishes what was decided, before anything is sent. One transaction of 1,000 jobs takes 0.4 s.
 */
type BulkTask =
  /** `profile`: with the prices it was decided at. */
  | { type: 'enqueue'; profile: Profile; runId: string | null }
  | { type: 'cancel' }
  /** Into a night or, without one, out of theirs. `from`: the nights that some of them are in. */
  | { type: 'night'; runId: string | null; from: string[] }
  | { type: 'move'; step: number };

/** Decided. */
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

/** `item` is what a job is made of; the others are there already. */
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
/** Ids alone are removed at once at the end. */
const forgetTexts = sql(
  'bulk.forgetTexts',
  `UPDATE bulk_rows SET staged = NULL
   WHERE bulk = $seq AND n < $done AND n >= (SELECT done FROM bulk_writes WHERE seq = $seq)`,
);
const doneUpTo = sql('bulk.doneUpTo', 'UPDATE bulk_writes SET done = $done WHERE seq = $seq');
const removeRows = sql('bulk.removeRows', 'DELETE FROM bulk_rows WHERE bulk = $seq');
const removeOne = sql('bulk.remove', 'DELETE FROM bulk_writes WHERE seq = $seq');
const enqueuing = sql('bulk.enqueuing', `SELECT 1 FROM bulk_writes WHERE task ->> 'type' = 'enqueue' LIMIT 1`);

/** Nothing of it counts before it is decided. */
export const beginBulk = (db: WriteDb): number => db.one<{ seq: number }>(begin)?.seq ?? 0;

export function stageRows(db: WriteDb, seq: number, from: number, rows: readonly StagedRow[]): void {
  db.run(stage, { seq, from, rows: JSON.stringify(rows) });
}

/** With the caller's transaction it is decided. `first` and `last`: the places in the queue that are its own from then on. */
export function decideBulk(
  db: WriteDb,
  bulk: Bulk,
  { first, last }: { first: number | null; last: number | null } = { first: null, last: null },
): Bulk {
  db.run(decided, { seq: bulk.seq, task: JSON.stringify(bulk.task), first, last });
  return bulk;
}

/** A change of jobs that are there. */
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

/** Whether jobs are still to come of what was decided. */
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
  /** After a commit: tasks of canceled jobs are asked for while their cost is in doubt. */
  canceled(ids: readonly string[]): void;
  /** None of these is sent until they are let go. */
  hold(ids: readonly string[]): () => void;
}

/** What became of the jobs. */
interface Changed {
  /** So many of those that it names were changed. */
  count: number;
  /** Others that changed with them. */
  others: number;
  left: LeftJob[];
}

interface Slice {
  isLast: boolean;
  /** All that changed. */
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
  /** They are finished in the order in which they were decided: of two about the same job, the later one counts. */
  private readonly queue = new WorkQueue();
  private closed = false;
  private cancelNotice: (() => void) | undefined;

  constructor(deps: EngineDeps, hooks: BulkHooks) {
    this.deps = deps;
    this.hooks = hooks;
  }

  /** Called in the turn in which it was decided: from then on none of its jobs is sent. Where it fails, they are held until the next start. */
  async finish(bulk: Bulk): Promise<Changed> {
    const letGo = this.hooks.hold(bulk.ids);
    const changed = await this.queue.add(() => this.writeSlices(bulk));
    if (!this.closed) letGo();
    return changed;
  }

  /** The end of all that are decided by now: a rule names a batch whole, not the part of it that is there. */
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
        // The studio opens all the same, with its jobs held.
        if (isFull)
          void this.finish(bulk).catch((error) =>
            log.error({ error: String(error) }, 'a change of many jobs cannot be finished; its jobs are held'),
          );
      } catch (error) {
        this.giveUp(row.seq, error);
      }
    }
  }

  /** False where the disk is full. */
  private isWrittenWhole(bulk: Bulk): boolean {
    try {
      while (!this.deps.store.transaction((db) => this.writeSlice(db, bulk, RECOVERED_PER_SLICE)).isLast);
      return true;
    } catch (error) {
      if (isDiskFault(error)) return false;
      throw error;
    }
  }

  /** What is written of it is damaged. Jobs that it would have canceled wait now, so nothing is sent before the user looks. */
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

  /** What is left is done by the next start. */
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

  /** The last slice ends it; until then all of its jobs are known, to be held after another start too. */
  private writeSlice(db: WriteDb, { seq, task }: Bulk, size: number): Slice {
    const found = db.all<Row>(next, { seq, limit: size + 1 });
    const rows = found.slice(0, size);
    const isLast = found.length <= size;
    const slice = this.writeEach(db, task, rows);
    if (isLast) removeBulk(db, seq);
    else for (const statement of [forgetTexts, doneUpTo]) db.run(statement, { seq, done: found.at(-1)?.n ?? 0 });
    return { ...slice, isLast };
  }

  /** Who joins, leaves, or is moved in the queue may take the money of others. At a start, the night's money is shared out anyway. */
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
    // Its prices may have been changed since, as those of other waiting jobs.
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
/** Nothing else has a turn before the start is over. */
const RECOVERED_PER_SLICE = 500;

/** After a start, a page shows notices by then. */
const PAGE_OPENS_MS = 5_000;
const GIVEN_UP = t`A change of many jobs is damaged on disk and was not finished. The queue is paused: check it, then resume.`;
const WAITS_FOR_ROOM: DiskFullWords = {
  log: 'a change of many jobs cannot be written further yet',
  full: t`The disk is full or cannot be written. A change of many jobs waits for space; none of them is sent before.`,
  about: 'room for changes',
};
