import { summed } from './0028-ledger-sums.ts';

/**
 * Bills of gateways that were read, their lines, and what the user decided about each: a mark says which line it is, whatever text it
 * stands in. A decision that is taken back stays, with its time. An entry of the ledger may belong to no job: a line of a bill that was not
 * ordered from this machine; it counts as no job.
 */
export const statements = `
ALTER TABLE ledger_entries ALTER COLUMN job_id DROP NOT NULL;
DROP TRIGGER ledger_summed;
${summed}

CREATE INDEX jobs_by_sent ON jobs (profile_id, sent_at) WHERE sent_at IS NOT NULL;

CREATE TABLE statements (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  profile_id TEXT NOT NULL,
  text_key TEXT NOT NULL UNIQUE,
  name TEXT,
  read_at INTEGER NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  facts TEXT NOT NULL,
  complete INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE statement_lines (
  statement_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  line INTEGER NOT NULL,
  at INTEGER NOT NULL,
  span_ms INTEGER NOT NULL,
  remote_id TEXT NOT NULL,
  request_key TEXT NOT NULL,
  model TEXT NOT NULL,
  units REAL,
  nano INTEGER NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (statement_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE statement_decisions (
  seq INTEGER PRIMARY KEY,
  profile_id TEXT NOT NULL,
  statement_id TEXT NOT NULL,
  line_id TEXT NOT NULL,
  mark TEXT NOT NULL,
  decided_as TEXT NOT NULL,
  job_id TEXT,
  done TEXT,
  shown TEXT NOT NULL,
  at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE INDEX statement_decisions_by_mark ON statement_decisions (profile_id, mark) WHERE undone_at IS NULL;
`;
