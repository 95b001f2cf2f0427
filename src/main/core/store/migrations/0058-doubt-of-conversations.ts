/** A conversation shows what is in doubt of its answers: it is newer once that changes. */
export const doubtOfConversations = `
CREATE TRIGGER jobs_doubted_conversations AFTER UPDATE OF uncertain_nano ON jobs
  WHEN NEW.kind = 'chat' AND NEW.uncertain_nano <> OLD.uncertain_nano BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;
`;
