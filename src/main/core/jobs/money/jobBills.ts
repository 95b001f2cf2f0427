import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Nano } from '../../../../shared/money/money.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { repriceReopened } from '../../ledger/index.ts';
import { lastPartOf, type ReadDb, sql, type WriteDb } from '../../store/index.ts';
import * as changes from '../commands/userChanges.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import { isTerminal, noSuchJob } from '../machine.ts';
import { costInDoubt, type JobRow } from '../row.ts';

/**
 * How a bill changes the money of a job. `charge`: the charge becomes this amount. `doubt`: the unconfirmed cost is settled at this amount,
 * 0 if the bill does not list it. `more`: another request of the job besides its charge, or a refund if below 0.
 */
export interface BillChange {
  type: 'charge' | 'doubt' | 'more';
  nano: Nano;
  /** The origin of the amount: "line 14 of the bill of 19 Nov". */
  source: string;
}

/** The effect of a decision, with everything that undoing it needs. */
export interface BilledEntry {
  entryIds: string[];
  /** The job's money and the note about it, before and after. */
  before: JobMoney;
  after: JobMoney;
}

interface JobMoney {
  chargedNano: Nano;
  lowNano: Nano;
  uncertainNano: Nano;
  unpriced: number;
  note: string | null;
}

const moneyOf = (
  row: Pick<JobRow, 'charged_nano' | 'charged_low_nano' | 'uncertain_nano' | 'unpriced' | 'money_note'>,
): JobMoney => ({
  chargedNano: row.charged_nano,
  lowNano: row.charged_low_nano,
  uncertainNano: row.uncertain_nano,
  unpriced: row.unpriced,
  note: row.money_note,
});

const isSameMoney = (one: JobMoney, other: JobMoney): boolean =>
  (['chargedNano', 'lowNano', 'uncertainNano', 'unpriced'] as const).every((name) => one[name] === other[name]);

export const sumsTooLarge = fail(
  'too_large',
  en`With it, the sums would be more than can be counted exactly. Nothing was changed.`,
);
const givesTooMuch = fail('wrong_state', en`More would be given back than its job was charged. Nothing was changed.`);
const changedSince = fail(
  'conflict',
  en`The cost of this job was changed after that decision, so the decision is not undone. Nothing was changed.`,
);

/** Settles jobs by the lines of a bill, in the transaction of the caller, who announces what changed. */
export class JobBills {
  private readonly deps: EngineDeps;
  /** Whether the answer to a job is still awaited. Its unconfirmed cost is settled when the answer arrives. */
  readonly isAwaited: (jobId: string) => boolean;
  /** After a commit: sums changed, and perhaps no job. */
  readonly changed: () => void;

  constructor(deps: EngineDeps, { isAwaited, changed }: Pick<JobBills, 'isAwaited' | 'changed'>) {
    this.deps = deps;
    this.isAwaited = isAwaited;
    this.changed = changed;
  }

  apply(db: WriteDb, jobId: string, change: BillChange): Result<BilledEntry> {
    const row = rowById(db, jobId);
    if (!row) return noSuchJob;
    const before = moneyOf(row);
    const { value, entryIds } = this.deps.ledger.bills.recorded(db, () => this.change(db, row, change));
    if (!value.ok) return value;
    const after = rowById(db, jobId);
    return ok({ entryIds, before, after: moneyOf(after ?? row) });
  }

  private change(db: WriteDb, row: JobRow, change: BillChange): Result<null> {
    if (row.state === 'uncertain') return this.changeInDoubt(db, row, change);
    if (!isTerminal(row.state))
      return fail('wrong_state', en`Its job is not done. Confirm the line when it is. Nothing was changed.`);
    if (change.type === 'doubt') return this.settleDoubt(db, row, change);
    return change.type === 'charge' ? this.charge(db, row, change) : this.addMore(db, row, change);
  }

  /** Refused while the service can still deliver the result: settling the cost would end the job without its clip. */
  private changeInDoubt(db: WriteDb, row: JobRow, change: BillChange): Result<null> {
    if (change.type !== 'doubt' || row.remote !== null || this.isAwaited(row.id))
      return fail(
        'wrong_state',
        en`Its job is unconfirmed: look it up, or count it as lost, before its cost is confirmed. Nothing was changed.`,
      );
    const lost = changes.writeOff(this.deps, db, row);
    if (!lost.ok) return lost;
    const ended = rowById(db, row.id) ?? row;
    // At a price of zero only the answer was unconfirmed, not the cost.
    if (!costInDoubt(ended)) return change.nano === 0 ? lost : this.addMore(db, ended, change);
    return this.settleDoubt(db, ended, change);
  }

  private settleDoubt(db: WriteDb, row: JobRow, { nano }: BillChange): Result<null> {
    if (nano < 0) return givesTooMuch;
    const isAwaited = this.isAwaited(row.id);
    const settled = changes.settleDoubt(this.deps, db, row, { billedNano: nano, isAwaited });
    return settled.ok || settled.error.code !== 'too_large' ? settled : sumsTooLarge;
  }

  private charge(db: WriteDb, row: JobRow, { nano, source }: BillChange): Result<null> {
    const { ledger } = this.deps;
    if (nano < 0) return givesTooMuch;
    if (!ledger.bills.chargeAsBilled(db, row, nano, source)) return sumsTooLarge;
    ledger.explainCharge(db, row, t`Charged as ${source} says.`);
    return ok(null);
  }

  private addMore(db: WriteDb, row: JobRow, { nano, source }: BillChange): Result<null> {
    if (row.charged_nano + nano < 0) return givesTooMuch;
    if (!this.deps.ledger.billOneMore(db, row, nano, source)) return sumsTooLarge;
    return ok(null);
  }

  /** Adds the counter-entries of a decision; refused where something else has changed the job's cost since. */
  undo(db: WriteDb, jobId: string, done: BilledEntry, note: string): Result<null> {
    const row = rowById(db, jobId);
    if (!row) return noSuchJob;
    if (!isSameMoney(moneyOf(row), done.after)) return changedSince;
    const { ledger } = this.deps;
    if (!ledger.bills.reverse(db, row, done.entryIds, note)) return sumsTooLarge;
    ledger.explainCharge(db, row, done.before.note);
    const profile = this.deps.profiles.get(row.profile_id);
    if (profile) repriceReopened(db, ledger, profile, row);
    return ok(null);
  }
}

/** Jobs to compare with a gateway's bill: all that were sent to it. */

export type BilledJob = Pick<
  JobRow,
  | 'seq'
  | 'id'
  | 'kind'
  | 'model'
  | 'state'
  | 'remote_id'
  | 'idempotency_key'
  | 'price'
  | 'quantity'
  | 'charged_nano'
  | 'charged_low_nano'
  | 'uncertain_nano'
  | 'unpriced'
  | 'unpriced_doubt'
  | 'finished_at'
> & {
  sent_at: number;
  /** 1: the service can be asked for its result. */
  has_task: 0 | 1;
};

/** Another id for an attempt, besides its task id: the idempotency key, or the id of the answer. */
export interface AttemptName {
  jobId: string;
  name: string;
}

const COLUMNS = `seq, id, kind, model, state, remote_id, idempotency_key, price, quantity, charged_nano, charged_low_nano, uncertain_nano, unpriced,
  unpriced_doubt, finished_at, sent_at, remote IS NOT NULL AS has_task`;

const sentIn = sql(
  'billing.sentIn',
  `SELECT ${COLUMNS} FROM jobs WHERE profile_id = $profileId AND sent_at IS NOT NULL AND (sent_at, seq) > ($afterAt, $afterSeq) AND sent_at < $to
   ORDER BY sent_at, seq LIMIT $limit`,
);
const attemptNames = sql(
  'billing.attemptNames',
  `SELECT job_id AS jobId, key AS name FROM attempts WHERE key IN (SELECT value FROM json_each($names))
   UNION ALL SELECT job_id, request_id FROM attempts WHERE request_id IN (SELECT value FROM json_each($names))`,
);
const namesOfAttempts = sql(
  'billing.namesOfAttempts',
  `SELECT job_id AS jobId, key AS name FROM attempts WHERE job_id IN (SELECT value FROM json_each($ids)) AND key IS NOT NULL
   UNION ALL SELECT job_id, request_id FROM attempts WHERE job_id IN (SELECT value FROM json_each($ids)) AND request_id IS NOT NULL`,
);
const named = sql(
  'billing.named',
  `SELECT ${COLUMNS} FROM jobs WHERE profile_id = $profileId AND sent_at IS NOT NULL
     AND (remote_id IN (SELECT value FROM json_each($names)) OR idempotency_key IN (SELECT value FROM json_each($names))
       OR (instr(remote_id, '/') > 0 AND ${lastPartOf('remote_id')} IN (SELECT value FROM json_each($names)))
       OR id IN (SELECT value FROM json_each($ids)))
   ORDER BY sent_at, seq`,
);
const OF_OTHERS = 'j.profile_id <> $profileId AND j.play = $play AND j.sent_at IS NOT NULL';
const namedElsewhere = sql(
  'billing.namedElsewhere',
  `WITH wanted (name) AS MATERIALIZED (SELECT value FROM json_each($names))
   SELECT id AS jobId, profile_id AS profileId, charged_nano AS chargedNano, remote_id AS name FROM jobs j
     WHERE ${OF_OTHERS} AND (remote_id IN wanted OR (instr(remote_id, '/') > 0 AND ${lastPartOf('remote_id')} IN wanted))
   UNION ALL SELECT id, profile_id, charged_nano, idempotency_key FROM jobs j WHERE ${OF_OTHERS} AND idempotency_key IN wanted
   UNION ALL SELECT j.id, j.profile_id, j.charged_nano, a.key FROM attempts a CROSS JOIN jobs j ON j.id = a.job_id
     WHERE a.key IN wanted AND ${OF_OTHERS}
   UNION ALL SELECT j.id, j.profile_id, j.charged_nano, a.request_id FROM attempts a CROSS JOIN jobs j ON j.id = a.job_id
     WHERE a.request_id IN wanted AND ${OF_OTHERS}`,
);
const modelsOf = sql(
  'billing.kindOfModel',
  'SELECT kind FROM jobs WHERE profile_id = $profileId AND model = $model ORDER BY seq DESC LIMIT 1',
);

export const billedJobs = {
  /** Those that were sent in a period, oldest first, behind `after` of the page before. */
  sentIn: (
    db: ReadDb,
    { profileId, from, to }: { profileId: string; from: number; to: number },
    { after, limit }: { after?: BilledJob | undefined; limit: number },
  ) => {
    const start = after ? { afterAt: after.sent_at, afterSeq: after.seq } : { afterAt: from, afterSeq: -1 };
    return db.all<BilledJob>(sentIn, { profileId, to, ...start, limit });
  },
  /** The attempts that have one of these keys, or whose answer had one of these ids. */
  attemptNames: (db: ReadDb, names: readonly string[]) =>
    db.all<AttemptName>(attemptNames, { names: JSON.stringify(names) }),
  /** The ids of the attempts of these jobs. */
  namesOfAttempts: (db: ReadDb, ids: readonly string[]) =>
    db.all<AttemptName>(namesOfAttempts, { ids: JSON.stringify(ids) }),
  /** Jobs of any time with one of these ids, task ids (complete or only the last part) or keys. Oldest first. Reads every job. */
  named: (db: ReadDb, profileId: string, { names, ids }: { names: readonly string[]; ids: readonly string[] }) =>
    db.all<BilledJob>(named, { profileId, names: JSON.stringify(names), ids: JSON.stringify(ids) }),
  /** Jobs of other profiles of the same side with one of these names. Reads every job. */
  namedElsewhere: (
    db: ReadDb,
    { profileId, play, names }: { profileId: string; play: boolean; names: readonly string[] },
  ) =>
    db.all<AttemptName & { profileId: string; chargedNano: number }>(namedElsewhere, {
      ...{ profileId, play: play ? 1 : 0, names: JSON.stringify(names) },
    }),
  /** The kind that a model was used for at this gateway last. */
  kindOfModel: (db: ReadDb, profileId: string, model: string): string | undefined =>
    db.one<{ kind: string }>(modelsOf, { profileId, model })?.kind,
};
