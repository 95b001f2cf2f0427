/**
 * The database of 0.1.0. Times are milliseconds since 1970, money is nano-dollars, JSON is text. Earlier versions were those of development
 * builds.
 */
export const tables = `
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE boards (
  project_id TEXT PRIMARY KEY REFERENCES projects (id),
  revision INTEGER NOT NULL,
  shots TEXT NOT NULL
) STRICT;

CREATE TABLE removed_shots (
  project_id TEXT NOT NULL REFERENCES projects (id),
  shot_id TEXT NOT NULL,
  shot TEXT NOT NULL,
  place INTEGER NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, shot_id)
) STRICT, WITHOUT ROWID;

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
  finished_at INTEGER,
  run_id TEXT,
  money_run TEXT,
  stated_nano INTEGER,
  stated_by TEXT,
  stated_as TEXT,
  money_note TEXT,
  differs TEXT,
  revision INTEGER NOT NULL DEFAULT 1,
  play INTEGER NOT NULL DEFAULT 0,
  unpriced INTEGER NOT NULL DEFAULT 0,
  unpriced_doubt INTEGER NOT NULL DEFAULT 0,
  unpriced_allowed INTEGER NOT NULL DEFAULT 0,
  inputs TEXT
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, position);
CREATE INDEX jobs_by_lane ON jobs (lane, state, position);
CREATE INDEX jobs_due ON jobs (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX jobs_by_project ON jobs (project_id, seq);
CREATE INDEX jobs_by_kind ON jobs (kind, seq);
CREATE INDEX jobs_by_run ON jobs (run_id, state) WHERE run_id IS NOT NULL;
CREATE INDEX jobs_in_doubt ON jobs (seq) WHERE state = 'uncertain' OR uncertain_nano > 0 OR unpriced_doubt > 0;
CREATE INDEX jobs_listed ON jobs (seq, state, kind, project_id, play);
CREATE INDEX jobs_short_of_money ON jobs
  (play, run_id, project_id, (price = 'null' AND unpriced_allowed = 0), position, seq, estimate_nano - reserved_nano)
  WHERE state = 'blocked' AND reason = 'budget';
CREATE INDEX jobs_ended ON jobs (finished_at, state, kind, play, verdict, (error ->> 'kind')) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano, play, (price = 'null')) WHERE state IN ('queued', 'blocked');

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
  created_at INTEGER NOT NULL,
  strikes INTEGER NOT NULL DEFAULT 0,
  fault TEXT,
  audio INTEGER,
  revision INTEGER NOT NULL DEFAULT 1,
  refusal TEXT
) STRICT;
CREATE INDEX assets_by_job ON assets (job_id, output_index) WHERE job_id IS NOT NULL;
CREATE INDEX assets_by_parent ON assets (parent_id, role) WHERE parent_id IS NOT NULL;
CREATE INDEX assets_by_state ON assets (state, expires_at);
CREATE INDEX assets_by_hash ON assets (sha256);
CREATE INDEX assets_listed ON assets (seq, role, state, created_at, mime, project_id, job_id) WHERE role <> 'thumbnail';

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
  note TEXT,
  run_id TEXT,
  play INTEGER NOT NULL DEFAULT 0,
  profile_id TEXT NOT NULL DEFAULT '',
  unpriced INTEGER NOT NULL DEFAULT 0,
  unpriced_doubt INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX ledger_by_job ON ledger_entries (job_id);
CREATE INDEX ledger_by_time ON ledger_entries (counted_at);
CREATE INDEX ledger_by_run ON ledger_entries (run_id) WHERE run_id IS NOT NULL;

CREATE TABLE spend (
  play INTEGER NOT NULL,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  settled_nano INTEGER NOT NULL DEFAULT 0,
  settled_low_nano INTEGER NOT NULL DEFAULT 0,
  reserved_nano INTEGER NOT NULL DEFAULT 0,
  uncertain_nano INTEGER NOT NULL DEFAULT 0,
  unpriced INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (play, scope, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE budgets (
  play INTEGER NOT NULL,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  hard_nano INTEGER,
  soft_nano INTEGER,
  PRIMARY KEY (play, scope, key)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  project_id TEXT,
  model TEXT,
  system TEXT,
  removed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  role TEXT NOT NULL,
  text TEXT NOT NULL,
  job_id TEXT REFERENCES jobs (id),
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE INDEX messages_by_job ON messages (job_id) WHERE job_id IS NOT NULL;

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
  created_at INTEGER NOT NULL,
  play INTEGER NOT NULL DEFAULT 0
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

CREATE TABLE flags (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * `revision`: a number on everything that pages keep in a cache. It grows with every change of what the contract shows of a thing,
 * in the transaction of that change. Triggers keep it, so that no statement, present or future, can forget it; what a thing shows of
 * other rows (a job its attempts and results, an asset its thumbnail, a conversation the sum of its jobs) raises it as well.
 *
 * A trigger whose condition is an unchanged revision answers a change of the row itself; one on `UPDATE OF revision` hands it on.
 */
export const revisions = `
CREATE TRIGGER jobs_revised AFTER UPDATE ON jobs WHEN NEW.revision = OLD.revision BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE seq = NEW.seq;
END;
CREATE TRIGGER jobs_revised_messages AFTER UPDATE OF revision ON jobs WHEN NEW.kind = 'chat' AND NEW.revision > OLD.revision BEGIN
  UPDATE messages SET revision = revision + 1 WHERE job_id = NEW.id;
END;
CREATE TRIGGER jobs_charged_conversations AFTER UPDATE OF charged_nano ON jobs
  WHEN NEW.kind = 'chat' AND NEW.charged_nano <> OLD.charged_nano BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;
CREATE TRIGGER attempts_added AFTER INSERT ON attempts BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
END;
CREATE TRIGGER attempts_changed AFTER UPDATE ON attempts BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id IN (NEW.job_id, OLD.job_id);
END;
CREATE TRIGGER attempts_removed AFTER DELETE ON attempts BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
END;
CREATE TRIGGER job_deps_added AFTER INSERT ON job_deps BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
END;
CREATE TRIGGER job_deps_changed AFTER UPDATE ON job_deps BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id IN (NEW.job_id, OLD.job_id);
END;
CREATE TRIGGER job_deps_removed AFTER DELETE ON job_deps BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
END;
CREATE TRIGGER assets_revised AFTER UPDATE ON assets WHEN NEW.revision = OLD.revision BEGIN
  UPDATE assets SET revision = revision + 1 WHERE seq = NEW.seq;
END;
CREATE TRIGGER assets_revised_kin AFTER UPDATE OF revision ON assets WHEN NEW.revision > OLD.revision BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
END;
CREATE TRIGGER assets_added AFTER INSERT ON assets BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
  UPDATE assets SET revision = revision + 1 WHERE id = NEW.parent_id;
END;
CREATE TRIGGER assets_moved AFTER UPDATE ON assets
  WHEN NEW.parent_id IS NOT OLD.parent_id OR NEW.job_id IS NOT OLD.job_id OR NEW.role <> OLD.role OR NEW.id <> OLD.id BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
  UPDATE assets SET revision = revision + 1 WHERE id IN (NEW.parent_id, OLD.parent_id);
END;
CREATE TRIGGER assets_removed AFTER DELETE ON assets BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
  UPDATE assets SET revision = revision + 1 WHERE id = OLD.parent_id;
END;
CREATE TRIGGER conversations_revised AFTER UPDATE ON conversations WHEN NEW.revision = OLD.revision BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER messages_revised AFTER UPDATE ON messages WHEN NEW.revision = OLD.revision BEGIN
  UPDATE messages SET revision = revision + 1 WHERE seq = NEW.seq;
END;
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.conversation_id;
END;
CREATE TRIGGER messages_moved AFTER UPDATE ON messages
  WHEN NEW.job_id IS NOT OLD.job_id OR NEW.conversation_id <> OLD.conversation_id BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id IN (NEW.conversation_id, OLD.conversation_id);
END;
CREATE TRIGGER messages_removed AFTER DELETE ON messages BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = OLD.conversation_id;
END;
CREATE TRIGGER boards_revised AFTER UPDATE ON boards WHEN NEW.revision <= OLD.revision BEGIN
  UPDATE boards SET revision = OLD.revision + 1 WHERE project_id = NEW.project_id;
END;
CREATE TRIGGER jobs_shown_by_assets AFTER UPDATE OF verdict, differs ON jobs
  WHEN NEW.verdict IS NOT OLD.verdict OR NEW.differs IS NOT OLD.differs BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id;
END;
CREATE TRIGGER jobs_unpriced_conversations AFTER UPDATE OF unpriced ON jobs
  WHEN NEW.kind = 'chat' AND NEW.unpriced <> OLD.unpriced BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;
`;
