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
