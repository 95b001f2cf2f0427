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

/**
 * The state of a result's download: how often its address gave something that is not the file, and why it is not here yet, or never will
 * be.
 */
export const downloadState = `
ALTER TABLE assets ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN fault TEXT;
`;

/** What an answer stated as its cost, what came otherwise than it was ordered, and why a charge is not the price times the order. */
export const stated = `
ALTER TABLE jobs ADD COLUMN stated_nano INTEGER;
ALTER TABLE jobs ADD COLUMN stated_by TEXT;
ALTER TABLE jobs ADD COLUMN stated_as TEXT;
ALTER TABLE jobs ADD COLUMN money_note TEXT;
ALTER TABLE jobs ADD COLUMN differs TEXT;

ALTER TABLE assets ADD COLUMN audio INTEGER;
`;

/**
 * `revision`: a number on everything that pages keep in a cache. It grows with every change of what the contract shows of a thing,
 * in the transaction of that change. Triggers keep it, so that no statement, present or future, can forget it; what a thing shows of
 * other rows (a job its attempts and results, an asset its thumbnail, a conversation the sum of its jobs) raises it as well.
 *
 * A trigger whose condition is an unchanged revision answers a change of the row itself; one on `UPDATE OF revision` hands it on.
 */
export const revisions = `
ALTER TABLE jobs ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE assets ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE conversations ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE messages ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

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
CREATE TRIGGER jobs_judged_assets AFTER UPDATE OF verdict ON jobs WHEN NEW.verdict IS NOT OLD.verdict BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id;
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

CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano) WHERE state IN ('queued', 'blocked');
`;

/**
 * Play money apart from real money, and orders whose price nobody knows counted beside the sums instead of as nothing.
 *
 * What there is goes to the side of its job's profile: the built-in sandbox is `sandbox`. Sums are made anew from the entries. A budget
 * was held against both sides, so it is kept on both; the cap of a night is on the side of its jobs. Pictures had a made-up price of
 * nothing outside the sandbox: from now on theirs is unknown, until one is set.
 */
export const play = `
ALTER TABLE jobs ADD COLUMN play INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN unpriced_doubt INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN unpriced_allowed INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET play = 1 WHERE profile_id = 'sandbox';
UPDATE jobs SET price = 'null' WHERE play = 0 AND instr(price, 'specification, section 8: no image price listed') > 0;

ALTER TABLE ledger_entries ADD COLUMN play INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger_entries ADD COLUMN profile_id TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger_entries ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ledger_entries ADD COLUMN unpriced_doubt INTEGER NOT NULL DEFAULT 0;
UPDATE ledger_entries SET play = jobs.play, profile_id = jobs.profile_id FROM jobs WHERE jobs.id = ledger_entries.job_id;
UPDATE ledger_entries SET unpriced = 1
  WHERE type = 'charge' AND job_id IN (SELECT id FROM jobs WHERE price = 'null');
INSERT INTO ledger_entries (id, job_id, at, counted_at, day, type, model, kind, project_id, run_id, play, profile_id, unpriced,
    unpriced_doubt, note)
  SELECT 'le_unpriced_' || id, id, coalesce(sent_at, created_at), coalesce(sent_at, created_at),
    strftime('%Y-%m-%d', coalesce(sent_at, created_at) / 1000, 'unixepoch', 'localtime'), 'doubt', coalesce(model, kind), kind,
    project_id, money_run, play, profile_id, 1, 1, 'the price is not known'
  FROM jobs WHERE price = 'null' AND state = 'uncertain';
UPDATE jobs SET
  unpriced = (SELECT coalesce(sum(unpriced), 0) FROM ledger_entries WHERE job_id = jobs.id),
  unpriced_doubt = (SELECT coalesce(sum(unpriced_doubt), 0) FROM ledger_entries WHERE job_id = jobs.id)
  WHERE price = 'null';

DROP INDEX jobs_in_doubt;
CREATE INDEX jobs_in_doubt ON jobs (seq) WHERE state = 'uncertain' OR uncertain_nano > 0 OR unpriced_doubt > 0;

DROP TABLE spend;
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
INSERT INTO spend
  SELECT play, scope, key, sum(settled_nano), sum(settled_low_nano), sum(reserved_nano), sum(uncertain_nano), sum(unpriced) FROM (
    SELECT *, 'day' AS scope, day AS key FROM ledger_entries
    UNION ALL SELECT *, 'month', substr(day, 1, 7) FROM ledger_entries
    UNION ALL SELECT *, 'project', project_id FROM ledger_entries WHERE project_id IS NOT NULL
    UNION ALL SELECT *, 'run', run_id FROM ledger_entries WHERE run_id IS NOT NULL)
  GROUP BY play, scope, key;

ALTER TABLE night_runs ADD COLUMN play INTEGER NOT NULL DEFAULT 0;
UPDATE night_runs SET play = 1
  WHERE EXISTS (SELECT 1 FROM night_jobs JOIN jobs ON jobs.id = night_jobs.job_id WHERE night_jobs.run_id = night_runs.id AND jobs.play = 1)
  AND NOT EXISTS (SELECT 1 FROM night_jobs JOIN jobs ON jobs.id = night_jobs.job_id WHERE night_jobs.run_id = night_runs.id AND jobs.play = 0);

ALTER TABLE budgets RENAME TO budgets_before;
CREATE TABLE budgets (
  play INTEGER NOT NULL,
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  hard_nano INTEGER,
  soft_nano INTEGER,
  PRIMARY KEY (play, scope, key)
) STRICT, WITHOUT ROWID;
INSERT INTO budgets SELECT coalesce((SELECT play FROM night_runs WHERE id = key), 0), scope, key, hard_nano, soft_nano
  FROM budgets_before WHERE scope = 'run';
INSERT INTO budgets SELECT sides.play, scope, key, hard_nano, soft_nano
  FROM budgets_before, (SELECT 0 AS play UNION ALL SELECT 1) AS sides WHERE scope <> 'run';
DROP TABLE budgets_before;
`;

/**
 * Indexes that let lists be counted and read at any offset without reading the skipped rows, because a request or a prompt is far larger
 * than an index entry. An asset also shows how its job's result differs from the request, so its revision increases when that changes.
 */
export const listed = `
CREATE INDEX jobs_listed ON jobs (seq, state, kind, project_id, play);
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano, play) WHERE state IN ('queued', 'blocked');
CREATE INDEX assets_listed ON assets (seq, role, state, created_at, mime, project_id, job_id) WHERE role <> 'thumbnail';

DROP TRIGGER jobs_judged_assets;
CREATE TRIGGER jobs_shown_by_assets AFTER UPDATE OF verdict, differs ON jobs
  WHEN NEW.verdict IS NOT OLD.verdict OR NEW.differs IS NOT OLD.differs BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id;
END;
`;

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

/** A result whose place answers with a refusal was not made: the kind of that refusal, where there is one. */
export const refusals = `
ALTER TABLE assets ADD COLUMN refusal TEXT;
`;

/**
 * What a file was brought in for is said by whoever brings it. `source` is what the user's own files are for; among them are those that
 * were taken for a mask because their name begins like one: no painter made them and no edit was sent with them.
 *
 * What a job was made from is kept with it, and what is removed from a board or a list of projects can be put back.
 */
export const remembered = `
UPDATE assets SET role = 'source' WHERE role = 'import';
UPDATE assets SET role = 'source' WHERE role = 'mask' AND name NOT LIKE 'mask-%'
  AND id NOT IN (SELECT json_extract(request, '$.mask.assetId') FROM jobs
    WHERE kind = 'edit' AND json_extract(request, '$.mask.assetId') IS NOT NULL);

ALTER TABLE jobs ADD COLUMN inputs TEXT;
ALTER TABLE projects ADD COLUMN removed_at INTEGER;

CREATE TABLE removed_shots (
  project_id TEXT NOT NULL REFERENCES projects (id),
  shot_id TEXT NOT NULL,
  shot TEXT NOT NULL,
  place INTEGER NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, shot_id)
) STRICT, WITHOUT ROWID;
`;

/**
 * What a hard cap holds back is found by the caps that concern it and by what it lacks, without reading the jobs themselves: an event
 * that frees money for one must not read thousands.
 */
export const shortOfMoney = `
CREATE INDEX jobs_short_of_money ON jobs
  (play, run_id, project_id, (price = 'null' AND unpriced_allowed = 0), position, seq, estimate_nano - reserved_nano)
  WHERE state = 'blocked' AND reason = 'budget';
`;

/** What has ended since a moment is counted, and what waits is summed with what has no price, without reading the jobs themselves. */
export const ended = `
CREATE INDEX jobs_ended ON jobs (finished_at, state, kind, play, verdict, (error ->> 'kind')) WHERE finished_at IS NOT NULL;
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano, play, (price = 'null')) WHERE state IN ('queued', 'blocked');
`;

/** A conversation shows how many of its answers have no price: it is newer once that changes. */
export const unpricedConversations = `
CREATE TRIGGER jobs_unpriced_conversations AFTER UPDATE OF unpriced ON jobs
  WHEN NEW.kind = 'chat' AND NEW.unpriced <> OLD.unpriced BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;
`;
