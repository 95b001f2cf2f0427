/**
 * Batches that are being enqueued: their requests are staged here in slices, `writing` is the one small change that makes the batch real,
 * and then each slice moves into the jobs in one transaction. A staged batch that was interrupted is removed at the next start, one that
 * was being written is completed.
 */
export const batches = `
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  profile TEXT NOT NULL,
  run_id TEXT,
  first_position REAL,
  last_position REAL,
  after_seq INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE batch_jobs (
  batch_id TEXT NOT NULL REFERENCES batches (id),
  n INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  request TEXT NOT NULL,
  project_id TEXT,
  night INTEGER NOT NULL,
  PRIMARY KEY (batch_id, n)
) STRICT, WITHOUT ROWID;
`;
