import { promptOf, type StudioRequest } from '../../../shared/kinds/index.ts';
import { type FoundRow, hitsIn, IS_HIT, sql, type TextSource, wholeOnly } from '../store/index.ts';

const find = (conditions: readonly string[]) =>
  sql(
    'assets.find',
    `SELECT a.seq, a.created_at AS at FROM ${hitsIn('asset')} CROSS JOIN assets a ON a.seq = hit.rowid
     WHERE ${[IS_HIT, 'a.binned_at IS NULL', ...conditions].join(' AND ')} ORDER BY hit.rowid DESC LIMIT $limit`,
  );
const byNumber = sql(
  'assets.foundTexts',
  `SELECT a.seq, a.id, a.name, a.model, a.elsewhere ->> 'prompt' AS foreign_prompt, j.request FROM assets a LEFT JOIN jobs j ON j.id = a.job_id
   WHERE a.seq IN (SELECT value FROM json_each($seqs))`,
);

interface TextRow {
  seq: number;
  id: string;
  name: string;
  model: string | null;
  /** Of a file from elsewhere, which has no job here. */
  foreign_prompt: string | null;
  request: string | null;
}

/** Assets by their name, their model and the prompt of their job, here or elsewhere. */
export const foundAssets: TextSource = {
  find(db, page) {
    const { conditions, params } = wholeOnly(db, 'a.project_id');
    return db.all<FoundRow>(find(conditions), { ...page, ...params });
  },
  read: (db, seqs) =>
    db
      .all<TextRow>(byNumber, { seqs: JSON.stringify(seqs) })
      .map(({ seq, id, name, model, foreign_prompt, request }) => {
        const prompt = request === null ? (foreign_prompt ?? '') : promptOf(JSON.parse(request) as StudioRequest);
        return { seq, id, title: name, texts: [prompt, name, model ?? ''] };
      }),
};
