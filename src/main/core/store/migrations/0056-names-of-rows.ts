/** What rows of a bill's text name that are not compared: those that could not be read, or that lie outside its period. */
export const namesOfRows = `
CREATE TABLE statement_names (
  name TEXT NOT NULL,
  statement_id TEXT NOT NULL,
  PRIMARY KEY (name, statement_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_names_by_statement ON statement_names (statement_id);
`;
