import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import type { KeptMask, MaskDraftCall } from '../../../shared/library/maskDraft.ts';
import { t } from '../../../shared/text/texts.ts';
import { type ReadDb, type Store, sql, type WriteDb } from '../store/index.ts';
import { assetById } from './assetTable.ts';

/** Masks that are being painted, one for each picture. */

/** All together, in characters; the ones beyond it that were kept longest ago go. */
export const MAX_DRAFTS_TEXT = 20_000_000;

const read = sql(
  'maskDrafts.read',
  'SELECT draft, turn FROM mask_drafts WHERE asset = (SELECT seq FROM assets WHERE id = $id)',
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

const keptDraft = (db: ReadDb, id: string): KeptMask => db.one<KeptMask>(read, { id }) ?? { turn: 0 };

const paintedElsewhere = fail('conflict', t`after: the mask of this picture was painted on elsewhere.`, {
  field: 'after',
});

export function maskDraftHandlers(store: Store): Pick<Handlers, MaskDraftCall> {
  const missing = fail('not_found', 'id: there is no such asset.', { field: 'id' });
  return {
    'library.maskDraft': ({ id }) => {
      if (!assetById(store.read, id)) return missing;
      return ok(keptDraft(store.read, id));
    },
    'library.keepMaskDraft': ({ id, draft, after }) =>
      store.transaction((db) => {
        if (!assetById(db, id)) return missing;
        if (after !== undefined && after !== keptDraft(db, id).turn) return paintedElsewhere;
        keepDraft(db, id, draft);
        return ok({ turn: keptDraft(db, id).turn });
      }),
  };
}

export function keepDraft(db: WriteDb, id: string, draft: string | undefined, most = MAX_DRAFTS_TEXT): void {
  db.run(remove, { id });
  if (draft === undefined) return;
  db.run(write, { id, draft });
  db.run(trim, { most });
}
