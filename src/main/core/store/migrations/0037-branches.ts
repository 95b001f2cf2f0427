/**
 * The messages of a conversation form a tree. Each names the one that it follows, which is always older, and the branch in which it was
 * written: a chain that starts behind a message of another one. What there was so far is one branch; saying so is no revision.
 */
export const branches = `
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

DROP TRIGGER messages_revised;
ALTER TABLE messages ADD COLUMN branch_id TEXT;
ALTER TABLE messages ADD COLUMN parent_seq INTEGER;
ALTER TABLE messages ADD COLUMN continues TEXT;
ALTER TABLE messages ADD COLUMN elsewhere TEXT;
UPDATE messages SET branch_id = 'branch_' || conversation_id, parent_seq = (SELECT max(m.seq) FROM messages m
  WHERE m.conversation_id = messages.conversation_id AND m.seq < messages.seq);
CREATE INDEX messages_by_branch ON messages (branch_id, seq);
CREATE INDEX messages_by_parent ON messages (conversation_id, parent_seq, seq);
CREATE TRIGGER messages_revised AFTER UPDATE ON messages WHEN NEW.revision = OLD.revision BEGIN
  UPDATE messages SET revision = revision + 1 WHERE seq = NEW.seq;
END;

DROP TRIGGER conversations_revised;
ALTER TABLE conversations ADD COLUMN branch_id TEXT;
UPDATE conversations SET branch_id = 'branch_' || id;
CREATE TRIGGER conversations_revised AFTER UPDATE ON conversations WHEN NEW.revision = OLD.revision AND NEW.seq IS OLD.seq BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.id;
END;
`;
