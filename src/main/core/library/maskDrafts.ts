import type { Handlers } from '../../../shared/contract.ts';
import type { MaskDraftCall } from '../../../shared/maskDraft.ts';
import { fail, ok } from '../../../shared/result.ts';
import { t } from '../../../shared/texts.ts';
import { type Store, sql, type WriteDb } from '../store/index.ts';
import { assetById } from './assetTable.ts';

/** Masks that are being painted, one for each picture. */

/** All together, in characters; the ones beyond it that were kept longest ago go. */
export const MAX_DRAFTS_TEXT = 20_000_000;

const read = sql(
  'maskDrafts.read',
  'SELECT draft FROM mask_drafts WHERE asset = (SELECT seq FROM assets WHERE id = $id)',
);
const remove = sql(
  'maskDrafts.remove',
  'DELETE FROM mask_drafts WHERE asset = (SELECT seq FROM assets WHERE id = $id)',
);
const write = sql(
  'maskDrafts.write',
  `INSERT INTO mask_drafts (asset, size, draft) SELECT seq, length($draft), $draft FROM assets WHERE id = $id AND emptied = 0`,
);
const trim = sql(
  'maskDrafts.trim',
  `DELETE FROM mask_drafts WHERE turn IN (SELECT turn FROM
     (SELECT turn, sum(size) OVER (ORDER BY turn DESC) AS total FROM mask_drafts) WHERE total > $most)`,
);

export function maskDraftHandlers(store: Store): Pick<Handlers, MaskDraftCall> {
  const missing = fail('not_found', t`id: there is no such asset.`, { field: 'id' });
  return {
    'library.maskDraft': ({ id }) => {
      if (!assetById(store.read, id)) return missing;
      const row = store.read.one<{ draft: string }>(read, { id });
      return ok(row ? { draft: row.draft } : {});
    },
    'library.keepMaskDraft': ({ id, draft }) =>
      store.transaction((db) => {
        if (!assetById(db, id)) return missing;
        keepDraft(db, id, draft);
        return ok(null);
      }),
  };
}

export function keepDraft(db: WriteDb, id: string, draft: string | undefined, most = MAX_DRAFTS_TEXT): void {
  db.run(remove, { id });
  if (draft === undefined) return;
  db.run(write, { id, draft });
  db.run(trim, { most });
}
