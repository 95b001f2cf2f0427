/** The row of a job's values: what has no value is told from an empty text. */
const rowOf = (job: 'NEW' | 'OLD'): string =>
  `state = ${job}.state AND kind = ${job}.kind AND play = ${job}.play AND coalesce(project_id, 0) = coalesce(${job}.project_id, 0)
    AND coalesce(model, 0) = coalesce(${job}.model, 0) AND coalesce(verdict, 0) = coalesce(${job}.verdict, 0)`;
const addOne = `INSERT INTO job_counts (state, kind, play, project_id, model, verdict, n)
    VALUES (NEW.state, NEW.kind, NEW.play, NEW.project_id, NEW.model, NEW.verdict, 1) ON CONFLICT DO UPDATE SET n = n + 1;`;
const removeOne = `UPDATE job_counts SET n = n - 1 WHERE ${rowOf('OLD')};`;

/** A list's total is a sum over a few rows instead of a count over all jobs. */
const COUNTS = `
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
`;

const OF_JOB = `SELECT json_extract(input.value, '$.assetId'), job.id, json_extract(input.value, '$.field')
  FROM jobs job, json_each(job.inputs) input`;
const IS_ASSET = `json_extract(input.value, '$.assetId') IS NOT NULL`;

/** What the jobs were made from, by asset. */
const INPUTS = `
CREATE TABLE job_inputs (
  asset_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (asset_id, job_id, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_inputs_by_job ON job_inputs (job_id);
INSERT OR IGNORE INTO job_inputs ${OF_JOB} WHERE job.inputs IS NOT NULL AND ${IS_ASSET};

CREATE TRIGGER job_inputs_added AFTER INSERT ON jobs WHEN NEW.inputs IS NOT NULL BEGIN
  INSERT OR IGNORE INTO job_inputs ${OF_JOB} WHERE job.id = NEW.id AND ${IS_ASSET};
END;
CREATE TRIGGER job_inputs_saved AFTER UPDATE OF inputs ON jobs BEGIN
  DELETE FROM job_inputs WHERE job_id = NEW.id;
  INSERT OR IGNORE INTO job_inputs ${OF_JOB} WHERE job.id = NEW.id AND job.inputs IS NOT NULL AND ${IS_ASSET};
END;
`;

/**
 * Columns of jobs: `retried_as`: the newest job that was made from one that ended. `request_revision`: the revision that it got when its
 * request was edited last. `reserved_low_nano`: what a night has reserved at the lower price. `elsewhere`: what is known of its money in the
 * library that it was made in, as JSON; no sum counts it. `omitted`: the fields of its request that its gateway does not take and that were
 * not sent. `confirmed_nano`: the highest price that the user has confirmed, NULL where it was not known; what is open in an earlier version
 * was confirmed at the price that it has.
 *
 * Columns of attempts: `key`: the idempotency key of the last request, on the wire. `reached`: an earlier spelling of it was refused by the
 * gateway. `task`: the task that its answer named. `clock_set_back`: nobody knows how long ago it was.
 */
export const jobs = `
ALTER TABLE jobs ADD COLUMN retried_as TEXT;
ALTER TABLE jobs ADD COLUMN request_revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN reserved_low_nano INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN elsewhere TEXT;
ALTER TABLE jobs ADD COLUMN omitted TEXT;
ALTER TABLE jobs ADD COLUMN confirmed_nano INTEGER;
UPDATE jobs SET reserved_low_nano = min(reserved_nano, estimate_low_nano) WHERE money_run IS NOT NULL AND reserved_nano > 0;
UPDATE jobs SET confirmed_nano = estimate_nano
  WHERE state IN ('queued', 'blocked', 'sending', 'running', 'fetching', 'uncertain') AND price <> 'null';

ALTER TABLE attempts ADD COLUMN again INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN key TEXT;
ALTER TABLE attempts ADD COLUMN reached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN task TEXT;
ALTER TABLE attempts ADD COLUMN clock_set_back INTEGER NOT NULL DEFAULT 0;
CREATE INDEX attempts_sending ON attempts (job_id) WHERE outcome = 'sending';

-- The keys of calls that could spend, and what each call made: a call that is repeated with its key makes nothing more.
CREATE TABLE request_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  call TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX request_keys_by_age ON request_keys (at);

-- Work on many jobs: its rows are staged in slices, "task" is the one small change that decides it, and then each slice is carried out in
-- one transaction. At a start, what was only staged is removed, and what was decided is finished before anything is sent. "done": so many
-- of its rows are carried out.
CREATE TABLE bulk_writes (
  seq INTEGER PRIMARY KEY,
  task TEXT,
  done INTEGER NOT NULL DEFAULT 0,
  first_position REAL,
  last_position REAL
) STRICT;
CREATE TABLE bulk_rows (
  bulk INTEGER NOT NULL REFERENCES bulk_writes (seq),
  n INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  staged TEXT,
  PRIMARY KEY (bulk, n)
) STRICT, WITHOUT ROWID;

-- What was sent for a job that is being sent or is unconfirmed, so that the same bytes can be sent again under their idempotency key; never
-- a secret. "other_account": the profile has other secrets now. A row comes and goes only with another state of its job, which shows what is
-- kept of it.
CREATE TABLE sent_requests (
  job_id TEXT PRIMARY KEY,
  form TEXT NOT NULL,
  base_url TEXT NOT NULL,
  path TEXT NOT NULL,
  headers TEXT NOT NULL,
  auth_header TEXT,
  key TEXT NOT NULL,
  account TEXT NOT NULL,
  other_account INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  body TEXT
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sent_requests_shown AFTER UPDATE ON sent_requests BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id IN (OLD.job_id, NEW.job_id);
END;
${COUNTS}
CREATE INDEX jobs_by_model ON jobs (model, seq) WHERE model IS NOT NULL;
CREATE INDEX jobs_by_verdict ON jobs (verdict, seq) WHERE verdict IS NOT NULL;
CREATE INDEX jobs_by_time ON jobs (created_at, seq);
-- Jobs in doubt are few, and what is summed and asked of them is in their index.
DROP INDEX jobs_in_doubt;
CREATE INDEX jobs_in_doubt ON jobs (seq, state, kind, play, uncertain_nano, unpriced_doubt)
  WHERE state = 'uncertain' OR uncertain_nano > 0 OR unpriced_doubt > 0;
CREATE INDEX jobs_by_sent ON jobs (profile_id, sent_at) WHERE sent_at IS NOT NULL;
-- The sums of open jobs are read several times a second while jobs change, and the job of a task for every webhook.
CREATE INDEX jobs_open ON jobs (lane, state, position, reserved_nano, price = 'null')
  WHERE state IN ('queued', 'blocked', 'sending', 'running', 'fetching');
CREATE INDEX jobs_by_remote ON jobs (remote_id) WHERE remote_id IS NOT NULL;
${INPUTS}`;
