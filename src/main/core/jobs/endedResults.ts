import { type AssetRow, assetRowsOfJob } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { JobRow } from './row.ts';

export const hasEndedWithoutSuccess = ({ state }: Pick<JobRow, 'state'>): boolean =>
  state === 'failed' || state === 'canceled';

/**
 * A service may finish a job that was canceled: its results are paid for, and can be built on like any others once all of them are here,
 * or in a storage that nothing is downloaded from. A job of which one was lost has none to build on.
 */
export function resultsOfEnded(db: ReadDb, { id }: Pick<JobRow, 'id'>): 'here' | 'coming' | 'none' {
  // What the user deleted was here.
  const outputs = assetRowsOfJob(db, id).filter(({ role, emptied }) => role === 'output' && emptied === 0);
  if (outputs.length === 0) return 'none';
  if (outputs.every(isHere)) return 'here';
  return outputs.every((output) => isHere(output) || (output.state === 'remote' && output.fetchable === 1))
    ? 'coming'
    : 'none';
}

const isHere = ({ state, fetchable, remote_uri: uri, refusal }: AssetRow): boolean =>
  state === 'local' || (state === 'remote' && fetchable === 0 && refusal === null && /^(gs|s3):/.test(uri ?? ''));
