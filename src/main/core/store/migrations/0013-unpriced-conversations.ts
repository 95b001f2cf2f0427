/** A conversation shows how many of its answers have no price: it is newer once that changes. */
export const unpricedConversations = `
CREATE TRIGGER jobs_unpriced_conversations AFTER UPDATE OF unpriced ON jobs
  WHEN NEW.kind = 'chat' AND NEW.unpriced <> OLD.unpriced BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;
`;
