import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallParsed } from '../../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { ShownPrice } from '../../../../shared/money/ledger.ts';
import { en } from '../../../../shared/text/texts.ts';
import { priceChanged } from '../../ledger/index.ts';
import { earlierResult, keyedCall, onceByKey } from '../../requestKeys/index.ts';
import type { WriteDb } from '../../store/index.ts';
import { PER_SLICE } from '../../timeSlicing.ts';
import type { EngineDeps } from '../deps.ts';
import { readJobs, rowById, rowsByIds } from '../jobRepository.ts';
import { recordRequest } from '../recordEvidence.ts';
import { confirmPrice, hasPriceRisen, reevaluate } from '../reevaluate.ts';
import { type JobRow, priceOfRow } from '../row.ts';

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ledger' | 'profiles'>;

/**
 * The user confirms the present price of jobs whose price rose: all or none, once for the key of the call. The decision is one write; the
 * jobs follow, a few in each turn, and those that an end leaves behind follow at the next start.
 */
export async function confirmPrices(
  deps: Deps,
  input: CallParsed<'jobs.confirmPrice'>,
  changed: () => void,
): Promise<Result<{ jobs: Job[] }>> {
  const { store, clock } = deps;
  const call = keyedCall('jobs.confirmPrice', input);
  const ids = [...new Set(input.ids)];
  const decided =
    earlierResult<null>(store.read, call) ??
    store.transaction((db) => onceByKey(db, call, clock.now(), () => decide(deps, db, ids, input.shown)));
  if (!decided.ok) return decided;
  for (let from = 0; from < ids.length; from += PER_SLICE) {
    if (from > 0) await nextTurn();
    const slice = ids.slice(from, from + PER_SLICE);
    store.transaction((db) => {
      for (const id of slice) release(deps, db, id);
    });
    changed();
  }
  return ok({ jobs: store.readTransaction((db) => readJobs(db, rowsByIds(db, ids))) });
}

function decide(deps: Deps, db: WriteDb, ids: readonly string[], shown: ShownPrice | undefined): Result<null> {
  const rows: JobRow[] = [];
  for (const [index, id] of ids.entries()) {
    const field = `ids.${index}`;
    const row = rowById(db, id);
    if (!row) return fail('not_found', `${field}: there is no such job.`, { field });
    if (row.reason !== 'priceRose')
      return fail('wrong_state', en`${field}: the job does not wait for a higher price to be confirmed.`, { field });
    rows.push(row);
  }
  if (shown && new Set(rows.map(({ play }) => play)).size > 1)
    return fail('invalid_input', 'ids: must be jobs of real money or of test money, not both.', { field: 'ids' });
  const changed = priceChanged(shown, ...rows.map(priceOfRow));
  if (changed) return changed;
  confirmRisen(deps, db, rows);
  return ok(null);
}

/** Confirms the present price of jobs, which was shown to the user, if it rose. Earlier confirmations stay valid. */
export function confirmRisen(
  { profiles }: { profiles: Pick<EngineDeps['profiles'], 'get'> },
  db: WriteDb,
  rows: readonly JobRow[],
): void {
  for (const row of rows.filter(hasPriceRisen)) {
    confirmPrice(db, row);
    recordRequest(db, row, profiles.get(row.profile_id), 'changed');
  }
}

function release(deps: Deps, db: WriteDb, id: string): void {
  const row = rowById(db, id);
  if (row?.reason === 'priceRose') reevaluate(deps, db, row);
}
