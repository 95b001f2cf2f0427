/** The files that a running export has begun: what may be removed after a kill, and nothing else in its folder. */
export const exportParts = `
CREATE TABLE export_parts (
  export_id TEXT NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (export_id, name)
) STRICT, WITHOUT ROWID;
`;
