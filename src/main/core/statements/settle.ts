import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { formatNano } from '../../../shared/money/money.ts';
import type { LineDecision, LineFinding } from '../../../shared/money/statement/statement.ts';
import { t } from '../../../shared/text/texts.ts';
import type { BillChange, JobBills } from '../jobs/index.ts';
import type { LedgerWriter } from '../ledger/index.ts';
import type { WriteDb } from '../store/index.ts';
import type { BillJob } from './billJobs.ts';
import type { ComparedLine } from './compare.ts';
import type { Done } from './table.ts';

/** What a decision about a line changes: entries that are added, by the ledger's own writer. */

export interface Settling {
  bills: Pick<JobBills, 'apply'>;
  ledger: Pick<LedgerWriter, 'bills'>;
  profileId: string;
  play: boolean;
  /** "the bill of 19 Nov 2026". */
  source: string;
  kindOfModel(db: WriteDb, model: string): string;
  /** What this transaction has already made of a job's money. */
  moved: Map<string, Pick<BillJob, 'chargedNano' | 'lowNano' | 'uncertainNano'>>;
}

export interface Settled {
  /** The job that the line was entered for. */
  jobId: string | null;
  done: Done | null;
  changed: string[];
}

/** Why a decision cannot be made about a line; undefined if it can. */
export function refusalOf(line: ComparedLine, as: LineDecision): Result<never> | undefined {
  const name = nameOf(line);
  if (line.group === 'matched' && !(line.isCheaper && as === 'adopt'))
    return fail('wrong_state', t`${name} agrees with the ledger: there is nothing to confirm.`);
  if (as === 'adopt' && !line.job && (line.bill?.nano ?? 0) < 0)
    return fail(
      'wrong_state',
      t`${name} gives money back for no job that is known. Keep it, or say which job it belongs to.`,
    );
  if (as === 'adopt' && line.finding?.type === 'otherProfile' && !line.finding.isUncharged)
    return fail(
      'wrong_state',
      t`${name} is of a job that ${ordererOf(line.finding)} ordered, and is charged there: check the bill of that gateway too. Nothing was changed.`,
    );
  // Entered beside the charge of its job, it would stay so once the zone is known.
  if (as === 'adopt' && line.finding?.type === 'zone')
    return fail(
      'wrong_state',
      t`${name} may be of a job that is charged here: choose the zone of its time first, below the columns of the bill. Nothing was changed.`,
    );
  return undefined;
}

const ordererOf = ({ profile }: LineFinding): string => (profile === undefined ? t`a removed gateway` : profile);

export const nameOf = ({ bill }: ComparedLine): string => (bill ? `Line ${bill.line}` : 'This entry');

/** Makes the ledger follow the bill in one line, inside the caller's transaction. */
export function adopt(settling: Settling, db: WriteDb, line: ComparedLine): Result<Settled> {
  const source = line.bill ? `line ${line.bill.line} of ${settling.source}` : settling.source;
  if (!line.job) return enterElsewhere(settling, db, line, source);
  const { job } = line;
  const moved = unchanged(job, db, settling, { ...changeOf(line, job), source });
  if (!moved.ok) return fail(moved.error.code, `${nameOf(line)}: ${moved.error.message}`, moved.error.data);
  if (moved.data.after.chargedNano < 0)
    return fail(
      'wrong_state',
      t`${nameOf(line)} gives back more than its job was charged. Keep it, or say which job it belongs to. Nothing was changed.`,
    );
  return ok({ jobId: job.id, done: moved.data, changed: moved.data.changed });
}

/** What was shown is what is changed: a job whose money moved since is looked at again. */
function unchanged(job: BillJob, db: WriteDb, { bills, moved }: Settling, change: BillChange) {
  const applied = bills.apply(db, job.id, change);
  if (!applied.ok) return applied;
  const { before, after } = applied.data;
  const shown = moved.get(job.id) ?? job;
  const isSame = (['chargedNano', 'lowNano', 'uncertainNano'] as const).every((name) => before[name] === shown[name]);
  moved.set(job.id, after);
  return isSame
    ? applied
    : fail('conflict', t`The cost of its job was changed meanwhile: look again. Nothing was changed.`);
}

/** Whether a line settles what is in doubt of its job. */
export const settlesDoubt = (line: ComparedLine): boolean =>
  line.job !== undefined && changeOf(line, line.job).type === 'doubt';

function changeOf(line: ComparedLine, job: BillJob): Omit<BillChange, 'source'> {
  const { bill, part, group, jobNano = 0, enteredNano = 0, finding } = line;
  if (!bill) return { type: part === 'doubt' ? 'doubt' : 'charge', nano: 0 };
  if (group === 'onlyBill') return { type: finding?.type === 'doubt' ? 'doubt' : 'more', nano: bill.nano };
  if (job.isCharged) return { type: 'charge', nano: jobNano + job.besidesNano + enteredNano };
  return { type: job.isInDoubt ? 'doubt' : 'more', nano: jobNano };
}

/** No job of this machine made it: it stands in the ledger for its gateway alone, on its own day. */
function enterElsewhere(settling: Settling, db: WriteDb, { bill, day }: ComparedLine, source: string): Result<Settled> {
  if (!bill) return fail('internal', 'There is no such entry.');
  const { ledger, profileId, play } = settling;
  const of = {
    profile_id: profileId,
    play: play ? 1 : 0,
    model: bill.model || null,
    kind: bill.model === '' ? '' : settling.kindOfModel(db, bill.model),
  };
  const entry = {
    // Noon of its own day, wherever the user is: another time of it is of the day before somewhere.
    at: day === undefined ? bill.at : new Date(`${day}T12:00`).getTime(),
    nano: bill.nano,
    note: t`${source}: ${formatNano(bill.nano)}, not ordered from this machine`,
  };
  const { value, entryIds } = ledger.bills.recorded(db, () => ledger.bills.billElsewhere(db, of, entry));
  if (!value)
    return fail('too_large', t`With it, the sums would be more than can be counted exactly. Nothing was changed.`);
  return ok({ jobId: null, done: { entryIds }, changed: [] });
}
