import { type FoundRow, hitsIn, IS_HIT, sql, type TextSource } from '../store/index.ts';

const find = sql(
  'shotTexts.find',
  `SELECT s.seq, s.at FROM ${hitsIn('shot')} CROSS JOIN shot_texts s ON s.seq = hit.rowid
   CROSS JOIN projects p ON p.id = s.project_id WHERE ${IS_HIT} AND p.removed_at IS NULL
   ORDER BY hit.rowid DESC LIMIT $limit`,
);
const byNumber = sql(
  'shotTexts.foundTexts',
  `SELECT s.seq, s.shot_id AS id, s.project_id AS projectId, s.title, s.prompt, p.name
   FROM shot_texts s JOIN projects p ON p.id = s.project_id WHERE s.seq IN (SELECT value FROM json_each($seqs))`,
);

interface TextRow {
  seq: number;
  id: string;
  projectId: string;
  title: string;
  prompt: string;
  name: string;
}

/** Shots by their title and prompt; the time is that of the last change of either. Those of a removed project are not shown. */
export const foundShots: TextSource = {
  find: (db, page) => db.all<FoundRow>(find, { ...page }),
  read: (db, seqs) =>
    db.all<TextRow>(byNumber, { seqs: JSON.stringify(seqs) }).map(({ title, prompt, name, ...row }) => ({
      ...row,
      title: title.trim() === '' ? name : title,
      texts: [prompt, title],
    })),
};
