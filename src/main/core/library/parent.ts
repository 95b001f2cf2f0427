import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { t } from '../../../shared/text/texts.ts';
import type { ReadDb } from '../store/index.ts';
import type { AssetRow } from './assetColumns.ts';
import { assetRow } from './assetTable.ts';

/** The asset that something was made from. What is made from one in the bin would be in the bin with it. */
export function parentOf(db: ReadDb, id: string): Result<AssetRow> {
  const parent = assetRow(db, id);
  if (!parent || parent.emptied === 1) return fail('not_found', 'parent: there is no such asset.', { field: 'parent' });
  if (parent.binned_at === null) return ok(parent);
  return fail('wrong_state', t`parent: it is in the bin. Take it out of the bin first.`, { field: 'parent' });
}
