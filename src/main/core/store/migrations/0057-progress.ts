/** The percent that an export has ended at, and that a move of the library has certainly come to. */
export const progress = `
ALTER TABLE exports ADD COLUMN progress INTEGER NOT NULL DEFAULT 0;
UPDATE exports SET progress = 100 WHERE state = 'done';
ALTER TABLE library_moves ADD COLUMN progress INTEGER NOT NULL DEFAULT 0;
UPDATE library_moves SET progress = CASE
  WHEN state = 'done' THEN 100
  WHEN phase = 'compare' THEN 55
  WHEN phase = 'switch' THEN 95
  WHEN phase = 'remove' THEN 96
  ELSE 0 END;
`;
