import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LeftJob } from '../../../../shared/jobs/queueCalls.ts';
import { t } from '../../../../shared/text/texts.ts';
import { nightRunById } from '../../night/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import { PER_SLICE } from '../../turns.ts';
import type { EngineDeps } from '../deps.ts';
import { streamDriverOf } from '../kinds/index.ts';
import { isShortOfMoney, moveEachToNight, nightsOf } from '../nightMembership.ts';
import { rowById } from '../records.ts';
import { type DiskFullWords, persist } from '../sending/persist.ts';
import * as changes from './userChanges.ts';

/** A moved job is one write. */
const MOVED_PER_SLICE = 200;

export interface ChangesHooks {
  /** After a commit: emits what changed, and sends what may be sent now. */
  announce(ids: string[]): void;
  abort(jobId: string): void;
  /** After a commit: tasks of canceled jobs are asked for while their cost is in doubt. */
  canceled(ids: readonly string[]): void;
  /** None of these is sent until they are let go. */
  hold(ids: readonly string[]): () => void;
}

/** What became of the jobs of a change. */
interface Changed {
  /** So many of those that it names were changed. */
  count: number;
  /** Others that changed with them. */
  others: number;
  left: LeftJob[];
}

interface Slice {
  /** All that changed. */
  ids: string[];
  count: number;
  left: LeftJob[];
  /** Answers that are being streamed and are not wanted any more. */
  streams: string[];
}

/** Finishes changes of many jobs that are decided ({@link UnfinishedChange}), in slices between which other work gets its turn. */
export class ChangesOfMany {
  private readonly deps: EngineDeps;
  private readonly hooks: ChangesHooks;
  /** They are finished in the order in which they were decided: of two about the same job, the later one counts. */
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(deps: EngineDeps, hooks: ChangesHooks) {
    this.deps = deps;
    this.hooks = hooks;
  }

  /** Called in the turn in which it was decided: from then on none of its jobs is sent. Where it fails, they are held until the next start. */
  async finish(unfinished: UnfinishedChange): Promise<Changed> {
    const letGo = this.hooks.hold(unfinished.ids);
    const finished = this.last.then(() => this.writeSlices(unfinished));
    this.last = finished.catch(() => undefined);
    const changed = await finished;
    if (!this.closed) letGo();
    return changed;
  }

  /** The end of all that are decided by now. */
  async settled(): Promise<void> {
    await this.last;
  }

  /** At start: finishes what an earlier end left unfinished, before anything is sent. */
  recover(): void {
    for (const unfinished of unfinishedChanges(this.deps.store.read)) {
      try {
        for (let from = 0; from < unfinished.ids.length; from += RECOVERED_PER_SLICE)
          this.deps.store.transaction((db) => this.writeSlice(db, unfinished, from, RECOVERED_PER_SLICE));
      } catch (error) {
        // Such as a full disk: the studio opens all the same, with its jobs held.
        this.deps.log.error({ error: String(error) }, 'a change of many jobs could not be finished at start');
        void this.finish(unfinished).catch((again) =>
          this.deps.log.error({ error: String(again) }, 'a change of many jobs cannot be finished; its jobs are held'),
        );
      }
    }
  }

  /** What is left is done by the next start. */
  close(): void {
    this.closed = true;
  }

  private async writeSlices(unfinished: UnfinishedChange): Promise<Changed> {
    const size = unfinished.change.type === 'move' ? MOVED_PER_SLICE : PER_SLICE;
    const changed: Changed = { count: 0, others: 0, left: [] };
    for (let from = 0; from < unfinished.ids.length; from += size) {
      if (from > 0) await nextTurn();
      const write = () => this.deps.store.transaction((db) => this.writeSlice(db, unfinished, from, size));
      const slice = await persist(this.deps, () => this.closed, write, WAITS_FOR_ROOM);
      if (!slice) return changed;
      const { ids, count, left, streams } = slice;
      changed.count += count;
      changed.others += new Set(ids).size - count;
      changed.left.push(...left);
      for (const id of streams) this.hooks.abort(id);
      this.hooks.announce(ids);
      if (unfinished.change.type === 'cancel') this.hooks.canceled(ids);
    }
    this.shareOut(unfinished);
    return changed;
  }

  /** Written again, a slice changes nothing more. The last one ends the change. */
  private writeSlice(db: WriteDb, unfinished: UnfinishedChange, from: number, size: number): Slice {
    const { change, ids } = unfinished;
    const slice = this.changeEach(db, change, ids.slice(from, from + size), from);
    if (from + size < ids.length) return slice;
    removeChange(db, unfinished);
    return slice;
  }

  /** Who joins, leaves, or is moved in the queue may take the money of others. At a start, the night's money is shared out anyway. */
  private shareOut(unfinished: UnfinishedChange): void {
    const { read } = this.deps.store;
    for (const runId of new Set(nightsOfChange(read, unfinished)))
      if (isShortOfMoney(read, runId)) this.deps.events.emit('night.changed', runId);
  }

  private changeEach(db: WriteDb, change: ChangeOfMany, ids: readonly string[], from: number): Slice {
    if (change.type === 'cancel') return this.cancelEach(db, ids);
    if (change.type === 'night') {
      const run = change.runId === null ? undefined : nightRunById(db, change.runId);
      const moved = change.runId !== null && !run ? [] : moveEachToNight(this.deps, db, ids, run);
      return { ids: moved, count: moved.length, left: [], streams: [] };
    }
    const moved = changes.placeEach(db, ids, (index) => change.from + change.step * (from + index + 1));
    return { ids: moved, count: moved.length, left: [], streams: [] };
  }

  private cancelEach(db: WriteDb, ids: readonly string[]): Slice {
    const slice: Slice = { ids: [], count: 0, left: [], streams: [] };
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

function nightsOfChange(db: ReadDb, { change, ids }: UnfinishedChange): string[] {
  if (change.type === 'cancel') return [];
  if (change.type === 'move') return nightsOf(db, ids);
  return change.runId === null ? change.from : [...change.from, change.runId];
}

/** Nothing else has a turn before the start is over. */
const RECOVERED_PER_SLICE = 500;

const WAITS_FOR_ROOM: DiskFullWords = {
  log: 'a change of many jobs cannot be written further yet',
  full: t`The disk is full, or cannot be written. A change of many jobs waits for room; none of them is sent before.`,
  written: t`There is room again. The change of many jobs goes on.`,
  about: 'room for changes',
};

/**
 * Changes of many jobs that are decided: each is on disk, with the jobs that it names, before its first slice is written, and until its
 * last one is. None of these jobs is sent meanwhile, and an end in the middle leaves nothing out: the next start finishes it.
 */
type ChangeOfMany =
  | { type: 'cancel' }
  /** Into a night or, without one, out of theirs. `from`: the nights that some of them are in. */
  | { type: 'night'; runId: string | null; from: string[] }
  /** The job with the index `n` goes to the position `from + step × (n + 1)`. */
  | { type: 'move'; from: number; step: number };

export interface UnfinishedChange {
  seq: number;
  change: ChangeOfMany;
  /** In the order in which they are changed. */
  ids: string[];
}

interface Row {
  seq: number;
  change: string;
  job_ids: string;
}

const insert = sql(
  'unfinishedChanges.insert',
  'INSERT INTO unfinished_changes (change, job_ids) VALUES ($change, $ids) RETURNING seq',
);
const all = sql('unfinishedChanges.all', 'SELECT seq, change, job_ids FROM unfinished_changes ORDER BY seq');
const remove = sql('unfinishedChanges.remove', 'DELETE FROM unfinished_changes WHERE seq = $seq');

/** With the caller's transaction it is decided. */
export function decideChange(db: WriteDb, change: ChangeOfMany, ids: string[]): UnfinishedChange {
  const written = db.one<{ seq: number }>(insert, { change: JSON.stringify(change), ids: JSON.stringify(ids) });
  return { seq: written?.seq ?? 0, change, ids };
}

const removeChange = (db: WriteDb, { seq }: UnfinishedChange): number => db.run(remove, { seq });

/** In the order in which they were decided. */
const unfinishedChanges = (db: ReadDb): UnfinishedChange[] =>
  db.all<Row>(all).map(({ seq, change, job_ids }) => ({
    seq,
    change: JSON.parse(change) as ChangeOfMany,
    ids: JSON.parse(job_ids) as string[],
  }));
