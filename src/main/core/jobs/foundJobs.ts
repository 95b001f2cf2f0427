import { kindOf, promptOf } from '../../../shared/kinds/index.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { type FoundRow, hitsIn, IS_HIT, sql, type TextSource } from '../store/index.ts';
import { type JobRow, requestOf } from './row.ts';
import { withoutHidden } from './unfinishedBatch.ts';

const byNumber = sql(
  'jobs.foundTexts',
  'SELECT seq, id, request, model FROM jobs WHERE seq IN (SELECT value FROM json_each($seqs))',
);

/** A job of a bundle came with its project. */
const CAME_AT = `max(created_at, coalesce(
  CASE WHEN elsewhere IS NOT NULL THEN (SELECT p.created_at FROM projects p WHERE p.id = jobs.project_id) END, 0))`;

/** Jobs by their prompt and model. */
export const foundJobs: TextSource = {
  find(db, page) {
    const { where, params } = withoutHidden(db, { where: IS_HIT, params: { ...page } });
    const find = sql(
      'jobs.find',
      `SELECT seq, created_at AS at, ${CAME_AT} AS cameAt FROM ${hitsIn('job')} CROSS JOIN jobs ON seq = hit.rowid WHERE ${where}
       ORDER BY hit.rowid DESC LIMIT $limit`,
    );
    return db.all<FoundRow>(find, params);
  },
  read: (db, seqs) =>
    db.all<JobRow>(byNumber, { seqs: JSON.stringify(seqs) }).map((row) => {
      const request = requestOf(row);
      const prompt = promptOf(request);
      const title = prompt.trim() === '' ? kindOf(request).words.untitled : shortened(prompt, 80);
      return { seq: row.seq, id: row.id, title, texts: [prompt, row.model ?? ''] };
    }),
};
