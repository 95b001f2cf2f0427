/**
 * Chats are found by the words of their titles, as jobs are by those of their prompts. The index has them under a number, which triggers
 * give to every new one; giving it is no revision. The list of chats reads an index that holds all that it is filtered by.
 */
export const chatTitles = `
DROP TRIGGER conversations_revised;
ALTER TABLE conversations ADD COLUMN seq INTEGER;
UPDATE conversations SET seq = rowid;
CREATE UNIQUE INDEX conversations_by_number ON conversations (seq);
CREATE TRIGGER conversations_revised AFTER UPDATE ON conversations WHEN NEW.revision = OLD.revision AND NEW.seq IS OLD.seq BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER conversations_numbered AFTER INSERT ON conversations WHEN NEW.seq IS NULL BEGIN
  UPDATE conversations SET seq = (SELECT coalesce(max(seq), 0) + 1 FROM conversations) WHERE id = NEW.id;
END;

CREATE INDEX conversations_listed ON conversations (updated_at, id, project_id, seq) WHERE removed = 0;

CREATE VIRTUAL TABLE conversations_fts USING fts5 (words, content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'ascii');
INSERT INTO conversations_fts (rowid, words) SELECT seq, text_words(title) FROM conversations;
`;
