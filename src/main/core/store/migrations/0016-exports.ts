/** What has been exported, and what the clips of the library are made of, by the hash of their content. */
export const exports = `
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
  finished_at INTEGER
) STRICT;
CREATE INDEX exports_by_project ON exports (project_id, seq);
CREATE TABLE clip_facts (
  sha256 TEXT PRIMARY KEY,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
