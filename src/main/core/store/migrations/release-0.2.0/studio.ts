/**
 * `boards.content`: what a board holds beside its shots (its cast, its sound), as one JSON object. Nights: plans that are kept under a name,
 * what a night repeats, what holds it, why one that was to open again did not, and jobs that are left out of it. `export_parts`: the files
 * that a running export has begun: what may be removed after a kill, and nothing else in its folder. `evidence`: the record of each job;
 * rows are only added.
 */
export const studio = `
ALTER TABLE boards ADD COLUMN content TEXT NOT NULL DEFAULT '{}';

ALTER TABLE night_runs ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE night_runs ADD COLUMN held TEXT;
ALTER TABLE night_runs ADD COLUMN done_at INTEGER;
ALTER TABLE night_runs ADD COLUMN not_opened TEXT;
ALTER TABLE night_jobs ADD COLUMN left_out TEXT;
CREATE TABLE night_plans (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE exports (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 1,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  project_id TEXT,
  name TEXT NOT NULL,
  folder TEXT NOT NULL,
  mode TEXT,
  why TEXT,
  files TEXT NOT NULL DEFAULT '[]',
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  progress INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX exports_by_project ON exports (project_id, seq);
CREATE TABLE export_parts (
  export_id TEXT NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (export_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
  seq INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  facts TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_by_job ON evidence (job_id);
`;
