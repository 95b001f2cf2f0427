/** Nights: their windows, caps, rules and ends, who was in them, and which money counts to them. */
export const night = `
ALTER TABLE jobs ADD COLUMN run_id TEXT;
ALTER TABLE jobs ADD COLUMN money_run TEXT;
CREATE INDEX jobs_by_run ON jobs (run_id, state) WHERE run_id IS NOT NULL;

ALTER TABLE ledger_entries ADD COLUMN run_id TEXT;
CREATE INDEX ledger_by_run ON ledger_entries (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE night_runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  start_hour TEXT NOT NULL,
  end_hour TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  rules TEXT NOT NULL,
  failures_in_row INTEGER NOT NULL DEFAULT 0,
  refusals_in_row INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  ended_by TEXT,
  ended_text TEXT,
  told INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX night_runs_current ON night_runs (ended_at IS NULL) WHERE ended_at IS NULL;
CREATE INDEX night_runs_untold ON night_runs (number) WHERE ended_at IS NOT NULL AND told = 0;

CREATE TABLE night_jobs (
  run_id TEXT NOT NULL REFERENCES night_runs (id),
  job_id TEXT NOT NULL REFERENCES jobs (id),
  joined_at INTEGER NOT NULL,
  left_at INTEGER,
  not_run TEXT,
  not_run_text TEXT,
  PRIMARY KEY (run_id, job_id)
) STRICT, WITHOUT ROWID;
`;
