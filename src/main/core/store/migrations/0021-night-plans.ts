/** Plans of nights that are kept under a name, what a night repeats, what holds it, and jobs that are left out of it. */
export const nightPlans = `
ALTER TABLE night_runs ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE night_runs ADD COLUMN held TEXT;
ALTER TABLE night_runs ADD COLUMN done_at INTEGER;
ALTER TABLE night_jobs ADD COLUMN left_out TEXT;
CREATE TABLE night_plans (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
