/** The row of a job's values: what has no value is told from an empty text. */
const rowOf = (job: 'NEW' | 'OLD'): string =>
  `state = ${job}.state AND kind = ${job}.kind AND play = ${job}.play AND coalesce(project_id, 0) = coalesce(${job}.project_id, 0)
    AND coalesce(model, 0) = coalesce(${job}.model, 0) AND coalesce(verdict, 0) = coalesce(${job}.verdict, 0)`;
const addOne = `INSERT INTO job_counts (state, kind, play, project_id, model, verdict, n)
    VALUES (NEW.state, NEW.kind, NEW.play, NEW.project_id, NEW.model, NEW.verdict, 1) ON CONFLICT DO UPDATE SET n = n + 1;`;
const removeOne = `UPDATE job_counts SET n = n - 1 WHERE ${rowOf('OLD')};`;

/**
 * How many jobs there are by all that a list is filtered by and that has few values: a list's total is a sum over a few rows instead of a
 * count over all jobs. Triggers keep it, so that no statement can forget it.
 */
export const jobCounts = `
CREATE TABLE job_counts (
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  play INTEGER NOT NULL,
  project_id TEXT,
  model TEXT,
  verdict TEXT,
  n INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX job_counts_key
  ON job_counts (state, kind, play, coalesce(project_id, 0), coalesce(model, 0), coalesce(verdict, 0));
INSERT INTO job_counts
  SELECT state, kind, play, project_id, model, verdict, count(*) FROM jobs GROUP BY state, kind, play, project_id, model, verdict;

CREATE TRIGGER jobs_counted_added AFTER INSERT ON jobs BEGIN
  ${addOne}
END;
CREATE TRIGGER jobs_counted_removed AFTER DELETE ON jobs BEGIN
  ${removeOne}
END;
CREATE TRIGGER jobs_counted_changed AFTER UPDATE OF state, kind, play, project_id, model, verdict ON jobs
  WHEN NOT (NEW.state = OLD.state AND NEW.kind = OLD.kind AND NEW.play = OLD.play AND NEW.project_id IS OLD.project_id
    AND NEW.model IS OLD.model AND NEW.verdict IS OLD.verdict) BEGIN
  ${removeOne}
  ${addOne}
END;

CREATE INDEX jobs_by_model ON jobs (model, seq) WHERE model IS NOT NULL;
CREATE INDEX jobs_by_verdict ON jobs (verdict, seq) WHERE verdict IS NOT NULL;
CREATE INDEX jobs_by_time ON jobs (created_at, seq);
`;
