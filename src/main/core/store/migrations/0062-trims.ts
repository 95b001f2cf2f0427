/**
 * A clip that the film ends before its own end has last frames of its own, one for each of those out points, in milliseconds. NULL in
 * `assets` and 0 in `media_tasks`: it is that of the clip's own end.
 */
export const trims = `
ALTER TABLE assets ADD COLUMN out_ms INTEGER;
CREATE TABLE media_tasks_with_points (
  id TEXT PRIMARY KEY,
  asset_id TEXT NOT NULL REFERENCES assets (id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  claimed_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  out_ms INTEGER NOT NULL DEFAULT 0,
  UNIQUE (asset_id, kind, out_ms)
) STRICT;
INSERT INTO media_tasks_with_points (id, asset_id, kind, state, claimed_at, tries, error)
  SELECT id, asset_id, kind, state, claimed_at, tries, error FROM media_tasks ORDER BY rowid;
DROP TABLE media_tasks;
ALTER TABLE media_tasks_with_points RENAME TO media_tasks;
CREATE INDEX media_tasks_by_state ON media_tasks (state);
`;
