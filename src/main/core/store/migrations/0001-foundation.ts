/** The first shape of the database. Times are milliseconds since 1970, money is nano-dollars, JSON is text. */
export const foundation = `
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  request TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  project_id TEXT,
  model TEXT,
  lane TEXT NOT NULL,
  remote TEXT,
  remote_id TEXT,
  progress INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  result TEXT,
  partial_text TEXT NOT NULL DEFAULT '',
  partial_reasoning TEXT NOT NULL DEFAULT '',
  idempotency_key TEXT NOT NULL,
  hook_secret TEXT NOT NULL,
  price TEXT NOT NULL,
  quantity TEXT,
  estimate_nano INTEGER NOT NULL,
  estimate_low_nano INTEGER NOT NULL,
  reserved_nano INTEGER NOT NULL DEFAULT 0,
  charged_nano INTEGER NOT NULL DEFAULT 0,
  charged_low_nano INTEGER NOT NULL DEFAULT 0,
  uncertain_nano INTEGER NOT NULL DEFAULT 0,
  reserved_at INTEGER,
  position REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER,
  next_at INTEGER,
  missing_since INTEGER,
  verdict TEXT,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, position);
CREATE INDEX jobs_by_lane ON jobs (lane, state, position);
CREATE INDEX jobs_due ON jobs (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX jobs_in_doubt ON jobs (seq) WHERE uncertain_nano > 0;
CREATE INDEX jobs_by_project ON jobs (project_id, seq);
CREATE INDEX jobs_by_kind ON jobs (kind, seq);
CREATE VIRTUAL TABLE jobs_fts USING fts5 (prompt, model, content = '', contentless_delete = 1, prefix = '1 2 3 4');

CREATE TABLE job_deps (
  job_id TEXT NOT NULL REFERENCES jobs (id),
  on_id TEXT NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (job_id, on_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_deps_by_on ON job_deps (on_id);

CREATE TABLE attempts (
  job_id TEXT NOT NULL REFERENCES jobs (id),
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  request_id TEXT,
  message TEXT,
  PRIMARY KEY (job_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE assets (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  sha256 TEXT NOT NULL DEFAULT '',
  mime TEXT NOT NULL DEFAULT '',
  width INTEGER NOT NULL DEFAULT 0,
  height INTEGER NOT NULL DEFAULT 0,
  seconds REAL,
  bytes INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL,
  remote_uri TEXT,
  fetchable INTEGER NOT NULL DEFAULT 1,
  expires_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  job_id TEXT REFERENCES jobs (id),
  output_index INTEGER,
  role TEXT NOT NULL,
  parent_id TEXT REFERENCES assets (id),
  profile_id TEXT,
  project_id TEXT,
  name TEXT NOT NULL,
  model TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX assets_by_job ON assets (job_id, output_index) WHERE job_id IS NOT NULL;
CREATE INDEX assets_by_parent ON assets (parent_id, role) WHERE parent_id IS NOT NULL;
CREATE INDEX assets_by_state ON assets (state, expires_at);
CREATE INDEX assets_by_hash ON assets (sha256);

CREATE TABLE media_tasks (
  id TEXT PRIMARY KEY,
  asset_id TEXT NOT NULL REFERENCES assets (id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  claimed_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  UNIQUE (asset_id, kind)
) STRICT;
CREATE INDEX media_tasks_by_state ON media_tasks (state);

CREATE TABLE ledger_entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job_id TEXT NOT NULL REFERENCES jobs (id),
  at INTEGER NOT NULL,
  counted_at INTEGER NOT NULL,
  day TEXT NOT NULL,
  type TEXT NOT NULL,
  settled_nano INTEGER NOT NULL DEFAULT 0,
  settled_low_nano INTEGER NOT NULL DEFAULT 0,
  reserved_nano INTEGER NOT NULL DEFAULT 0,
  uncertain_nano INTEGER NOT NULL DEFAULT 0,
  model TEXT,
  kind TEXT NOT NULL,
  project_id TEXT,
  price TEXT,
  note TEXT
) STRICT;
CREATE INDEX ledger_by_job ON ledger_entries (job_id);
CREATE INDEX ledger_by_time ON ledger_entries (counted_at);

CREATE TABLE spend (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  settled_nano INTEGER NOT NULL DEFAULT 0,
  settled_low_nano INTEGER NOT NULL DEFAULT 0,
  reserved_nano INTEGER NOT NULL DEFAULT 0,
  uncertain_nano INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE budgets (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  hard_nano INTEGER,
  soft_nano INTEGER,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  project_id TEXT,
  model TEXT,
  system TEXT,
  removed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  job_id TEXT REFERENCES jobs (id),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE INDEX messages_by_job ON messages (job_id) WHERE job_id IS NOT NULL;

CREATE TABLE boards (
  project_id TEXT PRIMARY KEY REFERENCES projects (id),
  revision INTEGER NOT NULL,
  shots TEXT NOT NULL
) STRICT;

CREATE TABLE flags (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
