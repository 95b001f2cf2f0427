/** Orders that a program or a model asks for: each under the hash of what was seen of it, with what became of it. */
export const quotes = `
CREATE TABLE quotes (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'open',
  void_because TEXT,
  document TEXT NOT NULL,
  draft_id TEXT,
  expires_at INTEGER,
  job_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX quotes_by_state ON quotes (state, seq);
CREATE INDEX quotes_by_draft ON quotes (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX quotes_by_job ON quotes (job_id) WHERE job_id IS NOT NULL;
`;
