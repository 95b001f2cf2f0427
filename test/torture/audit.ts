import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { contentPath } from '../../src/main/core/library/index.ts';
import { databaseFile } from '../../src/main/core/store/index.ts';
import { isTerminal, type Job } from '../../src/shared/jobs/job.ts';
import { promptOf } from '../../src/shared/kinds/index.ts';
import { extensionOf } from '../../src/shared/library/mediaFormats.ts';
import type { MoneyTotals } from '../../src/shared/money/ledger.ts';
import type { ExpectedState } from './expectedState.ts';
import { markerIn } from './loadGenerator.ts';
import type { BillEntry } from './sandboxProcess.ts';

/** Compares an idle studio with what it acknowledged and with the gateway's bill. Throws with the full history of every mismatch. */
export interface AuditInput {
  jobs: Job[];
  sum: MoneyTotals;
  bill: BillEntry[];
  /** The sha256 of every file that the gateway made. */
  made: ReadonlySet<string>;
  expected: ExpectedState;
  /** The data folder; the studio has ended. */
  dataDir: string;
}

export interface AuditResult {
  acknowledged: number;
  billed: number;
  definite: number;
  inDoubt: number;
  settledNano: number;
  uncertainNano: number;
  billedNano: number;
  outputs: number;
  entries: number;
}

export function audit(found: AuditInput): AuditResult {
  const requests = requestsOf(found);
  nothingLost(found);
  for (const request of requests) {
    sentOnce(found, request);
    moneyCovers(found, request);
  }
  const definite = found.jobs.filter((job) => equalsItsBill(found, job)).length;
  for (const job of found.jobs) possible(found, job);
  const outputs = found.jobs.reduce((sum, job) => sum + countIntactOutputs(found, job), 0);
  const entries = assertLedgerAgrees(found);
  const billedNano = found.bill.reduce((sum, { nano }) => sum + nano, 0);
  const { settledNano, uncertainNano } = found.sum;
  assertHolds(
    settledNano + uncertainNano >= billedNano,
    found,
    [],
    `billed ${billedNano}, of which only ${settledNano} is settled and ${uncertainNano} in doubt`,
  );
  return {
    acknowledged: found.expected.acknowledged.size,
    billed: found.bill.length,
    definite,
    inDoubt: found.jobs.filter(({ money }) => money.uncertainNano > 0).length,
    settledNano,
    uncertainNano,
    billedNano,
    outputs,
    entries,
  };
}

/** One request of the user, its jobs (several after retries) and its bill. */
interface UserRequest {
  mark: string;
  jobs: Job[];
  bill: BillEntry[];
}

function requestsOf({ jobs, bill }: AuditInput): UserRequest[] {
  const requests = new Map<string, UserRequest>();
  const withoutShown = (mark: string) => {
    const known = requests.get(mark) ?? { mark, jobs: [], bill: [] };
    requests.set(mark, known);
    return known;
  };
  for (const job of jobs) withoutShown(markerIn(promptOf(job.request)) ?? job.id).jobs.push(job);
  for (const entry of bill) withoutShown(markerIn(entry.prompt) ?? entry.id).bill.push(entry);
  return [...requests.values()];
}

function nothingLost(found: AuditInput): void {
  const known = new Map(found.jobs.map((job) => [job.id, job]));
  for (const [id, mark] of found.expected.acknowledged)
    assertHolds(known.has(id), found, [id, mark], `${id} was acknowledged and is not there`);
  for (const [id, state] of found.expected.ended) {
    const job = known.get(id);
    assertHolds(job?.state === state, found, [id], `${id} had ended ${state} and is now ${job?.state}`);
  }
}

/** More bill entries than requests mean that one was sent twice. An entry without a job was sent without a claim. */
function sentOnce(found: AuditInput, { mark, jobs, bill }: UserRequest): void {
  const resends = jobs.reduce((sum, { id }) => sum + (found.expected.resends.get(id) ?? 0), 0);
  const names = [mark, ...jobs.map(({ id }) => id)];
  assertHolds(
    bill.length <= jobs.length + resends,
    found,
    names,
    `${mark} is billed ${bill.length} times for ${jobs.length} jobs and ${resends} resends`,
  );
  for (const job of jobs) {
    const maybe = job.attempts.filter(({ outcome }) => outcome !== 'unsent' && outcome !== 'refused').length;
    const allowed = 1 + (found.expected.resends.get(job.id) ?? 0);
    assertHolds(maybe <= allowed, found, names, `${job.id} was sent ${maybe} times, and the user asked for ${allowed}`);
  }
}

function moneyCovers(found: AuditInput, { mark, jobs, bill }: UserRequest): void {
  const charged = jobs.reduce((sum, { money }) => sum + money.chargedNano, 0);
  const uncertain = jobs.reduce((sum, { money }) => sum + money.uncertainNano, 0);
  const billed = bill.reduce((sum, { nano }) => sum + nano, 0);
  const names = [mark, ...jobs.map(({ id }) => id)];
  assertHolds(
    charged <= billed && billed <= charged + uncertain,
    found,
    names,
    `${mark}: charged ${charged}, in doubt ${uncertain}, billed ${billed}`,
  );
}

/** Whether the outcome is definite; then the charge must equal the bill for its task. */
function equalsItsBill(found: AuditInput, job: Job): boolean {
  if (!isTerminal(job.state) || job.money.uncertainNano > 0) return false;
  const billed = found.bill.filter(({ id }) => id === job.remoteId).reduce((sum, { nano }) => sum + nano, 0);
  assertHolds(
    billed === job.money.chargedNano,
    found,
    [job.id],
    `${job.id} ${job.state}: charged ${job.money.chargedNano}, billed ${billed}`,
  );
  return true;
}

function possible(found: AuditInput, job: Job): void {
  const wrong = (holds: boolean, what: string) =>
    assertHolds(holds, found, [job.id], `${job.id} ${job.state}: ${what}`);
  wrong(isTerminal(job.state) || job.state === 'uncertain', 'it is not at rest');
  wrong(job.money.reservedNano === 0, `${job.money.reservedNano} are still reserved`);
  wrong(isTerminal(job.state) === (job.finishedAt !== undefined), `finishedAt is ${job.finishedAt}`);
  wrong(job.state !== 'succeeded' || job.progress === 100, `its progress is ${job.progress}`);
  wrong(job.reason === undefined, `it has the reason ${job.reason}`);
  wrong(
    job.state !== 'uncertain' || job.money.uncertainNano > 0 || job.money.estimateNano === 0,
    'nothing is in doubt',
  );
  wrong(
    job.attempts.every(({ outcome }) => outcome !== 'sending'),
    'an attempt is still being sent',
  );
  const answered = job.kind === 'chat' ? job.result !== undefined : job.outputs.length > 0;
  wrong(job.state !== 'succeeded' || answered, 'it has no result');
}

function countIntactOutputs(found: AuditInput, job: Job): number {
  if (job.state !== 'succeeded') return 0;
  for (const { id, state, sha256, mime } of job.outputs) {
    const names = [job.id, id];
    assertHolds(state === 'local', found, names, `${id} is ${state}`);
    const file = contentPath(found.dataDir, sha256, extensionOf(mime));
    assertHolds(existsSync(file), found, names, `${id}: ${file} is not there`);
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    assertHolds(hash === sha256 && found.made.has(hash), found, names, `${id}: its bytes are not those that were made`);
  }
  return job.outputs.length;
}

const SUMS = `sum(settled_nano) AS settled, sum(reserved_nano) AS reserved, sum(uncertain_nano) AS uncertain, sum(unpriced) AS unpriced`;

interface Sums {
  settled: number | null;
  reserved: number | null;
  uncertain: number | null;
  unpriced: number | null;
}

/** Asserts that entries, jobs and stored sums agree. Returns the number of entries. */
function assertLedgerAgrees(found: AuditInput): number {
  const db = new Database(databaseFile(found.dataDir), { readonly: true });
  try {
    assertHolds(db.pragma('integrity_check', { simple: true }) === 'ok', found, [], 'the database is damaged');
    assertHolds((db.pragma('foreign_key_check') as unknown[]).length === 0, found, [], 'a row refers to nothing');
    const same = (what: string, names: string[], book: Sums, ...figures: number[]) => {
      const { settled, reserved, uncertain, unpriced } = book;
      const holds = [settled, reserved, uncertain, unpriced].every((sum, n) => (sum ?? 0) === (figures[n] ?? 0));
      assertHolds(
        holds,
        found,
        names,
        `${what}: the entries say ${JSON.stringify(book)}, the other book ${figures.join(', ')}`,
      );
    };
    const ofJob = db.prepare<[string], Sums>(`SELECT ${SUMS} FROM ledger_entries WHERE job_id = ?`);
    const unpricedOf = db.prepare<[string], number>('SELECT unpriced FROM jobs WHERE id = ?').pluck();
    for (const { id, money } of found.jobs) {
      const { chargedNano, reservedNano, uncertainNano } = money;
      same(id, [id], ofJob.get(id) ?? NOTHING, chargedNano, reservedNano, uncertainNano, unpricedOf.get(id) ?? 0);
    }
    const ofSide = db.prepare<[number], Sums>(`SELECT ${SUMS} FROM ledger_entries WHERE play = ?`);
    const { settledNano, reservedNano, uncertainNano, unpriced } = found.sum;
    same('the totals', [], ofSide.get(0) ?? NOTHING, settledNano, reservedNano, uncertainNano, unpriced);
    for (const play of [0, 1])
      for (const scope of ['day', 'month']) {
        const all = ofSide.get(play) ?? NOTHING;
        const kept = db.prepare<[number, string], Sums>(`SELECT ${SUMS} FROM spend WHERE play = ? AND scope = ?`);
        const figures = [all.settled, all.reserved, all.uncertain, all.unpriced].map((sum) => sum ?? 0);
        same(`the sums by ${scope} of side ${play}`, [], kept.get(play, scope) ?? NOTHING, ...figures);
      }
    for (const [id, jobId] of found.expected.messages)
      assertHolds(
        db.prepare('SELECT 1 FROM messages WHERE id = ?').get(id) !== undefined,
        found,
        [jobId],
        `the message ${id} was acknowledged and is not there`,
      );
    return db.prepare('SELECT count(*) FROM ledger_entries').pluck().get() as number;
  } finally {
    db.close();
  }
}

const NOTHING: Sums = { settled: 0, reserved: 0, uncertain: 0, unpriced: 0 };

function assertHolds(holds: boolean, found: AuditInput, names: string[], message: string): void {
  if (holds) return;
  throw new Error(`${message}\n${historyFor(found, names)}`);
}

/** Everything known about these names: jobs, ledger entries, the bill, and what was done and seen from outside. */
function historyFor({ jobs, bill, expected, dataDir }: AuditInput, names: string[]): string {
  const about = jobs.filter(
    ({ id, request }) => names.includes(id) || names.includes(markerIn(promptOf(request)) ?? ''),
  );
  const wanted = new Set([
    ...names,
    ...about.flatMap(({ id, request, remoteId }) => [id, markerIn(promptOf(request)) ?? id, remoteId ?? id]),
  ]);
  const db = new Database(databaseFile(dataDir), { readonly: true });
  const entries = about.flatMap(({ id }) =>
    db.prepare('SELECT * FROM ledger_entries WHERE job_id = ? ORDER BY seq').all(id),
  );
  db.close();
  const billed = bill.filter(({ id, prompt }) => wanted.has(id) || wanted.has(markerIn(prompt) ?? ''));
  const part = (title: string, lines: unknown[]) => [
    `${title}:`,
    ...lines.map((line) => `  ${typeof line === 'string' ? line : JSON.stringify(line)}`),
  ];
  return [
    ...part('jobs', about),
    ...part('ledger', entries),
    ...part('bill', billed),
    ...part('expected', expected.about([...wanted])),
  ].join('\n');
}
