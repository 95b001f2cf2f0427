import { createHash } from 'node:crypto';
import type { StoredRequest } from '../../../../shared/jobs/keptRequest.ts';
import { ClockWatch } from '../../clockWatch.ts';
import type { SentRequest, SubmitOutcome } from '../../gateway/index.ts';
import { type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import type { SentFacts } from '../recordEvidence.ts';
import type { JobRow } from '../row.ts';

const insert = sql(
  'jobs.insertSent',
  `INSERT OR REPLACE INTO sent_requests (job_id, form, base_url, path, headers, auth_header, key, account, bytes, sha256, body)
   VALUES ($id, $form, $baseUrl, $path, $headers, $authHeader, $key, $account, $bytes, $sha256, $body)`,
);
const byJob = sql(
  'jobs.sentOf',
  `SELECT form, base_url AS baseUrl, path, headers, coalesce(auth_header, '') AS authHeader, key, account, sha256,
     coalesce(body, '') AS body
   FROM sent_requests WHERE job_id = $id`,
);
const remove = sql('jobs.removeSent', 'DELETE FROM sent_requests WHERE job_id = $id');
/** The job can neither be sent nor asked for any more. */
const isOver = sql(
  'jobs.isSentOver',
  `SELECT 1 FROM jobs WHERE id = $id AND state NOT IN ('queued', 'blocked', 'sending', 'uncertain')`,
);
/** Raises the revisions of their jobs, which show the kept request. */
const show = sql('jobs.showSent', "UPDATE sent_requests SET other_account = other_account WHERE $id IN (job_id, '')");
const saveOther = sql('jobs.saveOtherAccount', 'UPDATE sent_requests SET other_account = $other WHERE job_id = $id');
const all = sql(
  'jobs.allSent',
  `SELECT job_id AS id, profile_id AS owner, key, account, other_account AS other
   FROM sent_requests JOIN jobs ON jobs.id = job_id`,
);
type Sent = Record<'id' | 'owner' | 'key' | 'account', string> & { other: number };
const setBack = sql(
  'jobs.markSetBack',
  'UPDATE attempts SET clock_set_back = 1 WHERE clock_set_back = 0 AND job_id IN (SELECT job_id FROM sent_requests)',
);
const lastAttempt = sql(
  'jobs.lastAttemptOfSent',
  'SELECT max(at) AS at FROM attempts WHERE clock_set_back = 0 AND job_id IN (SELECT job_id FROM sent_requests)',
);
/** The attempt may have reached the service. */
const LEFT = `job_id = $id AND NOT (outcome = 'unsent' AND status IS NULL AND reached = 0)`;
/**
 * The time counts from the first request that may have reached the service, even if it was refused, because the service may remember the
 * key since then. A request in another spelling counts too, which only shortens the time. If a request under another key is also
 * unconfirmed, one answer cannot resolve both, so neither is repeated.
 */
const facts = sql(
  'jobs.sentFacts',
  `SELECT base_url AS baseUrl, key, bytes, other_account AS other, (SELECT min(at) FROM attempts WHERE ${LEFT}) AS at,
     (SELECT max(clock_set_back) FROM attempts WHERE ${LEFT}) AS setBack
   FROM sent_requests WHERE job_id = $id
     AND NOT EXISTS (SELECT 1 FROM attempts WHERE job_id = $id AND outcome = 'unknown' AND key IS NOT sent_requests.key)`,
);
type Facts = Omit<StoredRequest, 'at'> & { at: number | null; other: number; setBack: number };

/** Facts about the kept request of an unconfirmed job. */
export function storedRequestOf(db: ReadDb, { id, state }: Pick<JobRow, 'id' | 'state'>): StoredRequest | undefined {
  const row = state === 'uncertain' ? db.one<Facts>(facts, { id }) : undefined;
  if (!row || row.at === null) return undefined;
  const { at, key, other, setBack, ...kept } = row;
  return {
    ...kept,
    at,
    key: `${key.slice(0, 4)}…${key.slice(-2)}`,
    ...(other === 1 ? { otherAccount: true } : {}),
    ...(setBack === 1 ? { clockSetBack: true } : {}),
  };
}

export const forgetSent = (db: WriteDb, id: string): number => db.run(show, { id }) && db.run(remove, { id });

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export type ReadableRequest = SentRequest & { body: string };

/**
 * Keeps the exact bytes of requests while their jobs are being sent or are unconfirmed, on disk before the first byte is sent. Only for
 * gateways that are documented to accept a key twice.
 */
export class StoredRequests {
  private readonly deps: EngineDeps;
  /** Jobs that may have a kept request. */
  readonly jobs = new Set<string>();
  /** Its check throws if a clock that was set back cannot be recorded; then no request may be repeated. */
  readonly clockWatch: ClockWatch;

  constructor(deps: EngineDeps) {
    this.deps = deps;
    deps.store.onRevised('jobs', (ids) => this.changed(ids));
    this.clockWatch = new ClockWatch(deps, {
      flag: 'clock:seen',
      isWatched: () => this.jobs.size > 0,
      setBack: (db) => {
        db.run(setBack);
        db.run(show, { id: '' });
        return () => undefined;
      },
    });
  }

  start(): void {
    for (const { id } of this.deps.store.read.all<Sent>(all)) this.jobs.add(id);
    const { at = null } = this.deps.store.read.one<{ at: number | null }>(lastAttempt) ?? {};
    if (this.jobs.size > 0) this.clockWatch.start(at ?? 0);
    this.changed([...this.jobs]);
  }

  /** A body that is too long, or holds a secret, is sent without being kept. */
  save(db: WriteDb, id: string, request: SentRequest, { bytes, sha256 }: Pick<SentFacts, 'bytes' | 'sha256'>): void {
    const { headers, authHeader = null, body, omitted: _, ...own } = request;
    if (body === undefined || bytes > MAX_KEPT_BYTES) return void db.run(remove, { id });
    db.run(insert, { id, ...own, headers: JSON.stringify(headers), authHeader, body, bytes, sha256 });
    this.jobs.add(id);
    this.clockWatch.watch();
  }

  /** The request as it was sent. If its bytes have changed, it is deleted and the result is undefined. */
  read(id: string): ReadableRequest | undefined {
    const { store } = this.deps;
    const row = store.read.one<Omit<ReadableRequest, 'headers'> & { headers: string; sha256: string }>(byJob, { id });
    const isSame = row && createHash('sha256').update(row.body).digest('hex') === row.sha256;
    if (isSame) return { ...row, headers: JSON.parse(row.headers) as SentRequest['headers'] };
    store.transaction((db) => forgetSent(db, id));
    return undefined;
  }

  /** Compares the secrets of a profile, or of all, with those that its requests were sent with. */
  async compareAccounts(profileId?: string): Promise<void> {
    const { store, profiles, events } = this.deps;
    for (const { id, owner, key, account, other } of store.read.all<Sent>(all)) {
      if (profileId !== undefined && profileId !== owner) continue;
      const opened = await profiles.openClient(owner);
      if (opened.status === 'unreadable') events.emit('key.unreadable', owner);
      if (opened.status !== 'ready') continue;
      const isOther = account === opened.client.accountOf(key) ? 0 : 1;
      if (isOther === other) continue;
      store.transaction((db) => db.run(saveOther, { id, other: isOther }));
    }
  }

  /** Deletes kept requests of jobs that can no longer be sent or repeated. Never throws. */
  private changed(ids: readonly string[]): void {
    const { store, log } = this.deps;
    try {
      const ended = ids.filter((id) => this.jobs.has(id) && store.read.one(isOver, { id }) !== undefined);
      if (ended.length === 0) return;
      store.transaction((db) => ended.forEach((id) => void db.run(remove, { id })));
      for (const id of ended) this.jobs.delete(id);
    } catch (error) {
      log.error({ error: String(error) }, 'requests that are not needed any more could not be removed');
    }
  }
}

/** The key of each attempt, and the task that its answer named. */

const LAST = 'job_id = $id AND n = (SELECT max(n) FROM attempts WHERE job_id = $id)';

const saveKey = sql('jobs.saveKey', `UPDATE attempts SET key = $key WHERE ${LAST}`);
const saveReached = sql('jobs.saveReached', `UPDATE attempts SET key = NULL, reached = 1 WHERE ${LAST}`);
const lastKey = sql('jobs.lastKey', `SELECT key FROM attempts WHERE ${LAST}`);
const otherTask = sql(
  'jobs.otherTaskUnderKey',
  'SELECT 1 FROM attempts WHERE job_id = $id AND key = $key AND task IS NOT NULL AND task <> $task LIMIT 1',
);
const lostTasks = sql(
  'jobs.lostAsOtherOrders',
  `SELECT count(*) AS n FROM attempts WHERE job_id = $id AND again = 0 AND outcome = 'unknown' AND task IS NOT $task
     AND (key IS NOT $key OR task IS NOT NULL)`,
);

const sentBefore = sql(
  'jobs.attemptSentBefore',
  `SELECT n, at, status, request_id AS requestId FROM attempts WHERE job_id = $id AND again = 0
     AND n < (SELECT max(n) FROM attempts WHERE job_id = $id) ORDER BY at <= $time DESC, n DESC LIMIT 1`,
);
const saveTaken = sql(
  'jobs.saveAttemptAsTaken',
  `UPDATE attempts SET outcome = 'accepted', message = $message WHERE job_id = $id AND n = $n`,
);

/** An attempt that was sent, with the facts of its answer. */
interface SentAttempt {
  n: number;
  at: number;
  facts: { status?: number; requestId?: string };
}

/** The last attempt sent by this time, before the present one. The time may be that of an accepted task. */
export function attemptSentBefore(db: ReadDb, id: string, time: number): SentAttempt | undefined {
  const row = db.one<{ n: number; at: number; status: number | null; requestId: string | null }>(sentBefore, {
    id,
    time,
  });
  if (!row) return undefined;
  const { n, at, status, requestId } = row;
  return { n, at, facts: { ...(status === null ? {} : { status }), ...(requestId === null ? {} : { requestId }) } };
}

/** An unconfirmed attempt was accepted after all, and another job follows it. */
export const saveAsTaken = (db: WriteDb, id: string, n: number, message: string): number =>
  db.run(saveTaken, { id, n, message });

/** The task that an answer names. A chat completion id does not identify a task: a repeated answer may have another one. */
export function taskNamedIn(outcome: SubmitOutcome): string | undefined {
  if (outcome.type === 'accepted' || outcome.type === 'unknown') return outcome.task?.id;
  return outcome.type === 'done' && !outcome.ofAnswer ? outcome.remoteId : undefined;
}

/** The key of the request that the current attempt sends. */
export const saveKeyOfAttempt = (db: WriteDb, id: string, key: string): number => db.run(saveKey, { id, key });

/** The service refused a request of the current attempt; another spelling follows. */
export const saveRefusedSpelling = (db: WriteDb, id: string): number => db.run(saveReached, { id });

/** The key of the last request of a job; null if it is not known. */
export const keyOfLastAttempt = (db: ReadDb, id: string): string | null =>
  db.one<{ key: string | null }>(lastKey, { id })?.key ?? null;

/** Whether the answer names another task than an earlier answer to the same key did. */
export function showsIgnoredKey(db: ReadDb, id: string, key: string, outcome: SubmitOutcome): boolean {
  const task = taskNamedIn(outcome);
  return task !== undefined && db.one(otherTask, { id, key, task }) !== undefined;
}

/** The number of lost attempts that had other keys or got another task: each may be a separate request. */
export const lostAsOtherTasks = (db: ReadDb, id: string, key: string | null, task: string): number =>
  db.one<{ n: number }>(lostTasks, { id, key, task })?.n ?? 0;
