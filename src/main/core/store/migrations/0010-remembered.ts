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
