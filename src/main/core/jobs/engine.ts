import type { CallParsed } from '../../../shared/contract.ts';
import type { QueueStatus } from '../../../shared/events.ts';
import { isTerminal, type Job, type Verdict } from '../../../shared/job.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { WriteDb } from '../store/index.ts';
import { createAnnouncer } from './announcer.ts';
import type { EngineDeps } from './deps.ts';
import { type EnqueueInput, judge, writeJobs } from './enqueue.ts';
import { finishFetched } from './fetched.ts';
import { allows } from './machine.ts';
import * as outcomes from './outcomes.ts';
import { createPoller } from './poller.ts';
import { listJobs } from './queries.ts';
import { advance, jobFrom, rowById } from './records.ts';
import { recover } from './recovery.ts';
import { type JobRow, requestOf } from './row.ts';
import { createRunner } from './runner.ts';
import { createScheduler } from './scheduler.ts';
import * as statements from './statements.ts';
import { isPaused, reconsider, reconsiderDependents } from './waiting.ts';

/** How long a closing studio waits for answers that are on their way; what does not come is in doubt at the next start. */
const CLOSE_WAIT_MS = 4_000;

export type Engine = ReturnType<typeof createEngine>;

/** The durable engine: everything that happens to jobs goes through here. */
export function createEngine(deps: EngineDeps) {
  const { store, clock } = deps;
  const announcer = createAnnouncer(deps, () => ({
    paused: isPaused(store.read),
    offline: scheduler.isOffline(deps.profiles.active().id),
  }));

  const changed = (ids: string[]): void => {
    for (const id of ids) announcer.job(id);
    if (ids.length === 0) announcer.queue();
    tellDoubt(ids);
    scheduler.moneyMoved();
    scheduler.kick();
  };

  const tellDoubt = (ids: string[]): void => {
    for (const id of ids) {
      const row = rowById(store.read, id);
      if (row?.state !== 'uncertain') continue;
      deps.emit({
        type: 'notice',
        level: 'doubt',
        text: 'An answer was lost. It was not sent again; it waits in the doubt inbox.',
        jobId: id,
      });
      deps.notifier.notify({ title: 'In doubt', body: 'An answer was lost. It was not sent again.', jobId: id });
    }
  };

  const scheduler = createScheduler(deps, {
    changed: (ids) => {
      for (const id of ids) announcer.job(id);
      if (ids.length === 0) announcer.queue();
    },
    send: (row, gateway) => void runner.send(row, gateway),
  });
  const reached = scheduler.reached;
  const poller = createPoller(deps, { changed, reached });
  const runner = createRunner(deps, { changed, reached, follow: poller.follow });

  const view = (id: string): Result<Job> => {
    const row = rowById(store.read, id);
    return row ? ok(jobFrom(store.read, row)) : noSuchJob;
  };

  /** Finds the job, changes it in one transaction, tells everyone, answers with it. */
  const change = (id: string, work: (db: WriteDb, row: JobRow) => Result<string[]>): Result<Job> => {
    const result = store.transaction((db) => {
      const row = rowById(db, id);
      return row ? work(db, row) : noSuchJob;
    });
    if (!result.ok) return result;
    changed(result.data);
    return view(id);
  };

  const cancel = (id: string): Result<Job> => {
    const result = change(id, (db, row) => {
      if (!allows(row.state, 'cancel')) return fail('wrong_state', cannotCancel(row));
      outcomes.canceled(deps, db, row);
      return ok([id, ...reconsiderDependents(deps, db, id)]);
    });
    if (result.ok && result.data.kind === 'chat') runner.abort(id);
    return result;
  };

  return {
    start: (): void => {
      changed(store.transaction((db) => recover(deps, db)));
      poller.resume();
      deps.library.kick();
    },
    close: async (): Promise<void> => {
      scheduler.close();
      await poller.close();
      await Promise.race([
        Promise.allSettled(runner.inFlight()),
        new Promise((done) => clock.after(CLOSE_WAIT_MS, () => done(null))),
      ]);
    },

    enqueue: async (input: EnqueueInput): Promise<Result<{ jobs: Job[] }>> => {
      const profile = deps.profiles.active();
      const judged = await judge(deps, profile, input.requests);
      if (!judged.ok) return judged;
      const written = store.transaction((db) => writeJobs(deps, db, profile, input));
      if (!written.ok) return written;
      changed(written.data);
      const rows = written.data.flatMap((id) => rowById(store.read, id) ?? []);
      return ok({ jobs: rows.map((row) => jobFrom(store.read, row)) });
    },
    /** For documents that write their own rows with the job: judge first, then call `write` inside their transaction and `announce` after it. */
    judge: (input: EnqueueInput) => judge(deps, deps.profiles.active(), input.requests),
    write: (db: WriteDb, input: EnqueueInput): Result<string[]> => writeJobs(deps, db, deps.profiles.active(), input),
    announce: changed,

    get: view,
    list: (filter: CallParsed<'jobs.list'>) => listJobs(store.read, filter),
    cancel,

    /** A blocked job goes on; of a failed or canceled one a new job is made, since finished rows are kept as they are. */
    retry: async (id: string): Promise<Result<Job>> => {
      const row = rowById(store.read, id);
      if (!row) return noSuchJob;
      if (row.state === 'blocked') {
        return change(id, (db, fresh) => {
          fresh.next_at = null;
          reconsider(deps, db, fresh);
          return ok([id]);
        });
      }
      if (!isTerminal(row.state) || row.state === 'succeeded')
        return fail('wrong_state', 'Only a failed, canceled or blocked job can be tried again.');
      const input: EnqueueInput = {
        requests: [requestOf(row)],
        ...(row.project_id ? { projectId: row.project_id } : {}),
      };
      const judged = await judge(deps, deps.profiles.active(), input.requests);
      if (!judged.ok) return judged;
      const written = store.transaction((db) => writeJobs(deps, db, deps.profiles.active(), input));
      if (!written.ok) return written;
      changed(written.data);
      return view(written.data[0] ?? '');
    },

    move: (id: string, before: string | undefined): Result<Job> =>
      change(id, (db, row) => {
        if (row.state !== 'queued' && row.state !== 'blocked')
          return fail('wrong_state', 'Only a waiting job can be moved.');
        const position = positionBefore(db, before);
        if (position === undefined)
          return fail('not_found', 'before: there is no such waiting job.', { field: 'before' });
        db.run(statements.savePosition, { id, position });
        return ok([id]);
      }),

    judgeTake: (id: string, verdict: Verdict | null): Result<Job> =>
      change(id, (db) => {
        db.run(statements.saveVerdict, { id, verdict });
        return ok([id]);
      }),

    resolve: async (id: string, as: 'lookup' | 'lost' | 'resend'): Promise<Result<Job>> => {
      const row = rowById(store.read, id);
      if (!row) return noSuchJob;
      if (row.state !== 'uncertain') return fail('wrong_state', 'Only a job in doubt can be resolved.');
      if (as === 'lookup') {
        if (row.remote) await poller.lookUp(id);
        return view(id);
      }
      return change(id, (db, fresh) => {
        const now = clock.now();
        if (as === 'lost') {
          const message = 'Counted as lost. What it may have cost stays in doubt.';
          const done = advance(db, fresh, { type: 'countLost' }, now, {
            error: { kind: 'network', message, retryable: true },
          });
          return done
            ? ok([id, ...reconsiderDependents(deps, db, id)])
            : fail('wrong_state', 'It is not in doubt any more.');
        }
        if (!advance(db, fresh, { type: 'resend' }, now, { error: null, nextAt: null }))
          return fail('wrong_state', 'It is not in doubt any more.');
        db.run(statements.saveTries, { id, tries: 0 });
        reconsider(deps, db, fresh);
        return ok([id]);
      });
    },

    pause: (): QueueStatus => setPaused(true),
    resume: (): QueueStatus => setPaused(false),
    status: announcer.status,

    /** A webhook came in; it changes nothing but the time of the next look. */
    poke: poller.poke,
    hookSecretOf: (id: string): string | undefined => rowById(store.read, id)?.hook_secret,
    stopChat: cancel,
    isOffline: (profileId: string): boolean => scheduler.isOffline(profileId),

    /** The user has mended the profile: what was blocked for its key, its refusal or its quota goes on. */
    profileMended: (profileId: string): void => {
      const ids = store.transaction((db) =>
        (['key', 'auth', 'quota', 'offline'] as const)
          .flatMap((reason) => db.all<JobRow>(statements.blockedBy, { reason }))
          .filter((row) => row.profile_id === profileId)
          .filter((row) => {
            row.next_at = null;
            return reconsider(deps, db, row);
          })
          .map(({ id }) => id),
      );
      scheduler.reached(profileId, true);
      changed(ids);
    },
    /** A cap was moved. */
    budgetsChanged: (): void => {
      scheduler.moneyMoved();
      scheduler.kick();
      announcer.queue();
    },
    outputSettled: (jobId: string): void => changed(store.transaction((db) => finishFetched(deps, db, jobId))),
    /** A last frame has been taken, or cannot be: those that wait for it go on, or end. */
    frameTaken: (jobId: string, error: string | undefined): void =>
      changed(
        store.transaction((db) =>
          error === undefined ? reconsiderDependents(deps, db, jobId) : failWithoutFrame(db, jobId, error),
        ),
      ),
  };

  function setPaused(paused: boolean): QueueStatus {
    store.transaction((db) => {
      db.run(statements.flagSet, { name: 'paused', value: paused ? 'yes' : 'no' });
      db.run(paused ? statements.pauseAll : statements.resumeAll);
    });
    changed([]);
    return announcer.status();
  }

  function failWithoutFrame(db: WriteDb, jobId: string, error: string): string[] {
    const message = `The last frame of ${jobId} could not be taken: ${error}`;
    return db.all<{ job_id: string }>(statements.dependentsOf, { id: jobId }).flatMap(({ job_id }) => {
      const row = rowById(db, job_id);
      if (!row || isTerminal(row.state) || !JSON.stringify(requestOf(row)).includes('"frame"')) return [];
      outcomes.ended(deps, db, row, { kind: 'invalid', message, retryable: false }, 'no');
      return [job_id, ...reconsiderDependents(deps, db, job_id)];
    });
  }
}

const noSuchJob = fail('not_found', 'There is no such job.');

function cannotCancel(row: JobRow): string {
  if (row.state === 'fetching') return 'It is made and paid for; its result is being downloaded.';
  if (row.state === 'uncertain') return 'It is in doubt: look it up, count it as lost, or send it again.';
  return `It has already ${row.state === 'canceled' ? 'been canceled' : row.state}.`;
}

const waitingPositions = `SELECT position, seq, id FROM jobs WHERE state IN ('queued', 'blocked') ORDER BY position, seq`;

/** A place before a waiting job (between it and the one in front), or behind the last one. */
function positionBefore(db: WriteDb, before: string | undefined): number | undefined {
  const waiting = db.all<{ position: number; id: string }>({ name: 'jobs.waitingPositions', text: waitingPositions });
  if (before === undefined) return (waiting.at(-1)?.position ?? 0) + 1;
  const at = waiting.findIndex(({ id }) => id === before);
  const target = waiting[at];
  if (!target) return undefined;
  const front = waiting[at - 1];
  return front ? (front.position + target.position) / 2 : target.position - 1;
}
