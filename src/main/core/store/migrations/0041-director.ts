/**
 * What a model drafts in a chat, as rows; with an answer, the results of the tools that it has called, as its model is told of them; with
 * a conversation, whether its model may draft.
 */
export const director = `
CREATE TABLE drafts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  message_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open',
  asked TEXT NOT NULL,
  drawn TEXT NOT NULL,
  job_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_conversation ON drafts (conversation_id, seq);
CREATE INDEX drafts_by_message ON drafts (message_id, seq);
CREATE INDEX drafts_by_job ON drafts (job_id) WHERE job_id IS NOT NULL;

ALTER TABLE messages ADD COLUMN tool_results TEXT;
ALTER TABLE conversations ADD COLUMN director INTEGER NOT NULL DEFAULT 1;
`;
