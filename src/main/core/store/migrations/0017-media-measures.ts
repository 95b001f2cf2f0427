/** What was measured of files, by content hash, so that a file is decoded once whatever it is called. `method` names how it was measured. */
export const mediaMeasures = `
CREATE TABLE media_measures (
  sha256 TEXT PRIMARY KEY,
  method INTEGER NOT NULL,
  measures TEXT NOT NULL
) STRICT;
`;
