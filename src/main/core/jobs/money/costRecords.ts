import { hasRecord, type StatedCost } from '../../gateway/index.ts';
import { sql, type WriteDb } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { rowById } from '../jobRepository.ts';
import { driverOf, hasCostRecord, kindsWithDriver } from '../kinds/index.ts';
import { isTerminal } from '../machine.ts';
import { COST_IN_DOUBT } from '../queries/jobSql.ts';
import { costInDoubt, type JobRow } from '../row.ts';
import { acceptStated, recordLateMismatch } from './charging.ts';

/** Services write the record a moment after the answer. If there is none at the last of these times, the service keeps no record. */
const LOOKUP_DELAYS_MS = [5_000, 30_000, 180_000];

export const inDoubtWithRecord = sql(
  'jobs.inDoubtWithRecord',
  `SELECT id FROM ${COST_IN_DOUBT.from} WHERE ${COST_IN_DOUBT.where} AND kind IN (SELECT value FROM json_each($kinds))
     AND stated_by IS NULL AND remote_id LIKE 'gen-%' ORDER BY seq DESC LIMIT 100`,
);

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ledger' | 'profiles' | 'log'>;

/** Reads the cost of answers that stated none, such as one that was cut off, from services that keep a record of each generation. */
export class CostRecords {
  private readonly deps: Deps;
  private readonly changed: () => void;
  private readonly timers = new Map<string, () => void>();
  private closed = false;

  constructor(deps: Deps, changed: () => void) {
    this.deps = deps;
    this.changed = changed;
  }

  /** At start, reads the records of answers whose cost is still unconfirmed. */
  resume(): void {
    for (const { id } of this.deps.store.read.all<{ id: string }>(inDoubtWithRecord, {
      kinds: kindsWithDriver(hasCostRecord),
    }))
      this.schedule(id, 0);
  }

  /** Schedules the lookup for a streamed answer that stated no cost. */
  follow(jobId: string): void {
    const row = rowById(this.deps.store.read, jobId);
    if (row && lacksCost(row)) this.schedule(jobId, 0);
  }

  close(): void {
    this.closed = true;
    for (const cancel of this.timers.values()) cancel();
  }

  private schedule(jobId: string, attempt: number): void {
    const ms = LOOKUP_DELAYS_MS[attempt];
    this.timers.delete(jobId);
    if (ms === undefined || this.closed) return;
    this.timers.set(
      jobId,
      this.deps.clock.after(ms, () => void this.lookUp(jobId, attempt)),
    );
  }

  private async lookUp(jobId: string, attempt: number): Promise<void> {
    try {
      const row = rowById(this.deps.store.read, jobId);
      if (!row?.remote_id || !lacksCost(row)) return void this.timers.delete(jobId);
      const opened = await this.deps.profiles.openClient(row.profile_id);
      const stated = opened.status === 'ready' ? await opened.client.recordedCost(row.remote_id) : undefined;
      if (this.closed) return;
      if (!stated) return this.schedule(jobId, attempt + 1);
      this.timers.delete(jobId);
      this.deps.store.transaction((db) => this.apply(db, jobId, stated));
      this.changed();
    } catch (error) {
      this.deps.log.error({ job: jobId, error: String(error) }, 'the record of a cost could not be read');
      this.schedule(jobId, attempt + 1);
    }
  }

  /** Settles an unconfirmed cost by the record, or corrects a charge by the price book to it. */
  private apply(db: WriteDb, jobId: string, stated: StatedCost): void {
    const row = rowById(db, jobId);
    if (!row || !lacksCost(row)) return;
    const { ledger } = this.deps;
    const nano = acceptStated(db, row, stated).chargeNano;
    if (nano === undefined) return;
    if (row.quantity === null) return void ledger.settleDoubt(db, row, nano, 'the record of the service');
    const change = {
      settledNano: nano - row.charged_nano,
      settledLowNano: nano - row.charged_low_nano,
      uncertainNano: 0,
    };
    ledger.adjust(db, row, change, `stated by ${stated.by}`);
    recordLateMismatch(this.deps, db, row, { statedNano: nano, statedBy: stated.by });
  }
}

/** Only for a single attempt: a record says nothing about the unconfirmed cost of an earlier attempt. */
const lacksCost = (row: JobRow): boolean =>
  hasCostRecord(driverOf(row)) &&
  isTerminal(row.state) &&
  row.stated_by === null &&
  row.remote_id !== null &&
  hasRecord(row.remote_id) &&
  costInDoubt(row) === (row.quantity === null) &&
  row.uncertain_nano <= row.estimate_nano &&
  row.unpriced_doubt <= (row.uncertain_nano > 0 ? 0 : 1);
