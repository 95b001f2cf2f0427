/**
 * `revision`: a number on everything that pages keep in a cache. It grows with every change of what the contract shows of a thing,
 * in the transaction of that change. Triggers keep it, so that no statement, present or future, can forget it; what a thing shows of
 * other rows (a job its attempts and results, an asset its thumbnail, a conversation the sum of its jobs) raises it as well.
 *
 * A trigger whose condition is an unchanged revision answers a change of the row itself; one on `UPDATE OF revision` hands it on.
 */
export const revisions = `
ALTER TABLE jobs ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE assets ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE conversations ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE messages ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

CREATE TRIGGER jobs_revised AFTER UPDATE ON jobs WHEN NEW.revision = OLD.revision BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE seq = NEW.seq;
END;
CREATE TRIGGER jobs_revised_messages AFTER UPDATE OF revision ON jobs WHEN NEW.kind = 'chat' AND NEW.revision > OLD.revision BEGIN
  UPDATE messages SET revision = revision + 1 WHERE job_id = NEW.id;
END;
CREATE TRIGGER jobs_charged_conversations AFTER UPDATE OF charged_nano ON jobs
  WHEN NEW.kind = 'chat' AND NEW.charged_nano <> OLD.charged_nano BEGIN
  UPDATE conversations SET revision = revision + 1
    WHERE id IN (SELECT conversation_id FROM messages WHERE job_id = NEW.id);
END;
CREATE TRIGGER jobs_judged_assets AFTER UPDATE OF verdict ON jobs WHEN NEW.verdict IS NOT OLD.verdict BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id;
END;

CREATE TRIGGER attempts_added AFTER INSERT ON attempts BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
END;
CREATE TRIGGER attempts_changed AFTER UPDATE ON attempts BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id IN (NEW.job_id, OLD.job_id);
END;
CREATE TRIGGER attempts_removed AFTER DELETE ON attempts BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
END;
CREATE TRIGGER job_deps_added AFTER INSERT ON job_deps BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
END;
CREATE TRIGGER job_deps_changed AFTER UPDATE ON job_deps BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id IN (NEW.job_id, OLD.job_id);
END;
CREATE TRIGGER job_deps_removed AFTER DELETE ON job_deps BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
END;

CREATE TRIGGER assets_revised AFTER UPDATE ON assets WHEN NEW.revision = OLD.revision BEGIN
  UPDATE assets SET revision = revision + 1 WHERE seq = NEW.seq;
END;
CREATE TRIGGER assets_revised_kin AFTER UPDATE OF revision ON assets WHEN NEW.revision > OLD.revision BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
END;
CREATE TRIGGER assets_added AFTER INSERT ON assets BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = NEW.job_id;
  UPDATE assets SET revision = revision + 1 WHERE id = NEW.parent_id;
END;
CREATE TRIGGER assets_moved AFTER UPDATE ON assets
  WHEN NEW.parent_id IS NOT OLD.parent_id OR NEW.job_id IS NOT OLD.job_id OR NEW.role <> OLD.role OR NEW.id <> OLD.id BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
  UPDATE assets SET revision = revision + 1 WHERE id IN (NEW.parent_id, OLD.parent_id);
END;
CREATE TRIGGER assets_removed AFTER DELETE ON assets BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id = OLD.job_id;
  UPDATE assets SET revision = revision + 1 WHERE id = OLD.parent_id;
END;

CREATE TRIGGER conversations_revised AFTER UPDATE ON conversations WHEN NEW.revision = OLD.revision BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER messages_revised AFTER UPDATE ON messages WHEN NEW.revision = OLD.revision BEGIN
  UPDATE messages SET revision = revision + 1 WHERE seq = NEW.seq;
END;
CREATE TRIGGER messages_added AFTER INSERT ON messages BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = NEW.conversation_id;
END;
CREATE TRIGGER messages_moved AFTER UPDATE ON messages
  WHEN NEW.job_id IS NOT OLD.job_id OR NEW.conversation_id <> OLD.conversation_id BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id IN (NEW.conversation_id, OLD.conversation_id);
END;
CREATE TRIGGER messages_removed AFTER DELETE ON messages BEGIN
  UPDATE conversations SET revision = revision + 1 WHERE id = OLD.conversation_id;
END;

CREATE TRIGGER boards_revised AFTER UPDATE ON boards WHEN NEW.revision <= OLD.revision BEGIN
  UPDATE boards SET revision = OLD.revision + 1 WHERE project_id = NEW.project_id;
END;

CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano) WHERE state IN ('queued', 'blocked');
`;
