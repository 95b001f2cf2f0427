/** Moves of the library to another folder. Where it is now is said by a file beside the database, which no restored backup changes. */
export const libraryMoves = `
CREATE TABLE library_moves (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'running',
  phase TEXT NOT NULL DEFAULT 'copy',
  from_home TEXT NOT NULL,
  to_home TEXT NOT NULL,
  library TEXT NOT NULL,
  keeps_old INTEGER NOT NULL,
  has_old INTEGER NOT NULL DEFAULT 0,
  files INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  damaged INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
`;
