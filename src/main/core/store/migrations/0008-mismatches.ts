/** Stated costs that do not agree with the price book: each stops what would be ordered at that price until the user has chosen. */
export const mismatches = `
CREATE TABLE price_mismatches (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  profile_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  job_id TEXT NOT NULL REFERENCES jobs (id),
  run_id TEXT,
  expected_nano INTEGER NOT NULL,
  expected_low_nano INTEGER NOT NULL,
  stated_nano INTEGER NOT NULL,
  stated_by TEXT NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  resolved_at INTEGER
) STRICT;
CREATE UNIQUE INDEX price_mismatches_stopping ON price_mismatches (profile_id, kind, model) WHERE state IN ('open', 'disputed');
CREATE INDEX price_mismatches_by_job ON price_mismatches (job_id);
`;
