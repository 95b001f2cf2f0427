import { createHash } from 'node:crypto';
import type { CallName } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { withoutShown } from '../../../shared/contract/spendingCall.ts';
import { canonicalJson } from '../../../shared/contract/values.ts';
import { type ReadDb, sql, type WriteDb } from '../store/index.ts';

/**
 * Results of calls with a key of the caller's. A caller that lost the answer repeats the call with its key and gets the first result instead
 * of paying again.
 */

/** A call with its key. */
export interface KeyedCall {
  name: CallName;
  key: string;
  /** Of the input with the key, its fields in any order: the input itself may be long, and is not needed. */
  fingerprint: string;
}

/** Undefined without a key: every call is then a new one. */
export function keyedCall(name: CallName, input: { requestKey?: string | undefined }): KeyedCall | undefined {
  if (input.requestKey === undefined) return undefined;
  const fingerprint = createHash('sha256')
    .update(canonicalJson(withoutShown(input)))
    .digest('hex');
  return { name, key: input.requestKey, fingerprint };
}

interface RequestKeyRow {
  call: string;
  fingerprint: string;
  result: string;
}

const find = sql('requestKeys.find', 'SELECT call, fingerprint, result FROM request_keys WHERE key = $key');
const insert = sql(
  'requestKeys.insert',
  'INSERT INTO request_keys (key, call, fingerprint, result, at) VALUES ($key, $call, $fingerprint, $result, $at)',
);
const prune = sql(
  'requestKeys.prune',
  `DELETE FROM request_keys WHERE seq IN (
     SELECT seq FROM request_keys WHERE at < $before AND seq <= (SELECT max(seq) FROM request_keys) - $newest
     ORDER BY at LIMIT $most)`,
);

/** A key is kept for at least 30 days: a page repeats its call when it finds the studio again, which may be after a holiday. */
const KEPT_MS = 30 * 86_400_000;
/** Always kept: with a wrong clock a new key may look old. */
const NEWEST_KEPT = 1_000;
/** More than are added, so that old ones become fewer. */
const PRUNED_AT_ONCE = 16;

/** The result of the first call with this key, if there was one; the error if that was another call. */
export function earlierResult<T>(db: ReadDb, call: KeyedCall | undefined): Result<T> | undefined {
  const row = call && db.one<RequestKeyRow>(find, { key: call.key });
  if (!row) return undefined;
  if (row.call !== call.name) return usedFor(`for ${row.call}`);
  if (call.fingerprint !== row.fingerprint) return usedFor('with another input');
  return ok(JSON.parse(row.result) as T);
}

const usedFor = (what: string): Result<never> =>
  fail('conflict', `requestKey: must be a new one, this was used ${what} before. Nothing was sent.`, {
    field: 'requestKey',
  });

/**
 * Runs `make` once for the key of a call, in the caller's transaction: the result and its key are stored together or not at all. A refusal
 * stores nothing. `made` is the result of the first call, as JSON preserves it; `isRepeat`: it was made before, and nothing was written
 * now.
 */
export function onceByKey<T>(
  db: WriteDb,
  call: KeyedCall | undefined,
  now: number,
  make: () => Result<T>,
): Result<{ made: T; isRepeat: boolean }> {
  const earlier = earlierResult<T>(db, call);
  if (earlier) return earlier.ok ? ok({ made: earlier.data, isRepeat: true }) : earlier;
  const made = make();
  if (!made.ok) return made;
  if (call) {
    const { name, key, fingerprint } = call;
    db.run(insert, { key, call: name, fingerprint, result: JSON.stringify(made.data), at: now });
    db.run(prune, { before: now - KEPT_MS, newest: NEWEST_KEPT, most: PRUNED_AT_ONCE });
  }
  return ok({ made: made.data, isRepeat: false });
}
