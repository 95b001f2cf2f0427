/**
 * The messages of a conversation form a tree. Each names the one that it follows, which is always older, and the branch in which it was
 * written: a chain that starts behind a message of another one. What there was so far is one branch. `tool_results`: the results of the
 * tools that an answer has called, as its model is told of them. `pictures`: what a message of the user shows to the model.
 */
const MESSAGES = `
DROP TRIGGER messages_revised;
ALTER TABLE messages ADD COLUMN branch_id TEXT;
ALTER TABLE messages ADD COLUMN parent_seq INTEGER;
ALTER TABLE messages ADD COLUMN continues TEXT;
ALTER TABLE messages ADD COLUMN elsewhere TEXT;
ALTER TABLE messages ADD COLUMN tool_results TEXT;
ALTER TABLE messages ADD COLUMN pictures TEXT;
UPDATE messages SET branch_id = 'branch_' || conversation_id, parent_seq = (SELECT max(m.seq) FROM messages m
  WHERE m.conversation_id = messages.conversation_id AND m.seq < messages.seq);
CREATE INDEX messages_by_branch ON messages (branch_id, seq);
CREATE INDEX messages_by_parent ON messages (conversation_id, parent_seq, seq);
CREATE INDEX messages_with_pictures ON messages (conversation_id) WHERE pictures IS NOT NULL;
CREATE TRIGGER messages_revised AFTER UPDATE ON messages WHEN NEW.revision = OLD.revision BEGIN
  UPDATE messages SET revision = revision + 1 WHERE seq = NEW.seq;
END;
`;

/**
 * The index of titles has a conversation under a number, which triggers give to every new one. `director`: whether its model may draft. A
 * conversation shows what is in doubt of its answers. What is filled in here is no revision.
 */
export const chat = `
DROP TRIGGER conversations_revised;
ALTER TABLE conversations ADD COLUMN seq INTEGER;
ALTER TABLE conversations ADD COLUMN branch_id TEXT;
ALTER TABLE conversations ADD COLUMN director INTEGER NOT NULL DEFAULT 1;
UPDATE conversations SET seq = rowid, branch_id = 'branch_' || id;
CREATE UNIQUE INDEX conversations_by_number ON conversations (seq);
CREATE INDEX conversations_listed ON conversations (updated_at, id, project_id, seq) WHERE removed = 0;
CREATE TRIGGER conversations_numbered AFTER INSERT ON conversations WHEN NEW.seq IS NULL BEGIN
  UPDATE conversations SET seq = (SELECT coalesce(max(seq), 0) + 1 FROM conversations) WHERE id = NEW.id;
END;
CREATE TRIGGER conversations_revised AFTER UPDATE ON conversations WHEN NEW.revision = OLD.revision AND NEW.seq IS OLD.seq BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER jobs_doubted_conversations AFTER UPDATE OF uncertain_nano ON jobs
  WHEN NEW.kind = 'chat' AND NEW.uncertain_nano <> OLD.uncertain_nano BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;

CREATE TABLE branches (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  parent_id TEXT REFERENCES branches (id),
  message_id TEXT,
  behind_seq INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX branches_by_conversation ON branches (conversation_id, seq);
INSERT INTO branches (id, conversation_id, created_at) SELECT 'branch_' || id, id, created_at FROM conversations ORDER BY seq;
${MESSAGES}
-- What a model drafts in a chat, as rows.
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

-- Jobs that a program or a model asks for: each under the hash of what was seen of it, with what became of it.
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
