/**
 * The library is counted by what it is filtered by without touching a row: a job's verdict stands at its assets too, and the index has
 * what is counted together side by side. Triggers keep the verdict, so that no statement can forget it.
 */
export const facets = `
DROP TRIGGER jobs_shown_by_assets;
ALTER TABLE assets ADD COLUMN verdict TEXT;
UPDATE assets SET verdict = (SELECT j.verdict FROM jobs j WHERE j.id = assets.job_id)
  WHERE job_id IN (SELECT id FROM jobs WHERE verdict IS NOT NULL);
CREATE TRIGGER jobs_shown_by_assets AFTER UPDATE OF verdict, differs ON jobs
  WHEN NEW.verdict IS NOT OLD.verdict OR NEW.differs IS NOT OLD.differs BEGIN
  UPDATE assets SET verdict = NEW.verdict, revision = revision + 1 WHERE job_id = NEW.id;
END;
CREATE TRIGGER assets_added_judged AFTER INSERT ON assets
  WHEN (SELECT verdict FROM jobs WHERE id = NEW.job_id) IS NOT NULL BEGIN
  UPDATE assets SET verdict = (SELECT verdict FROM jobs WHERE id = NEW.job_id) WHERE seq = NEW.seq;
END;

DROP INDEX assets_listed;
CREATE INDEX assets_listed ON assets (seq, role, state, created_at, mime, project_id, job_id, model, verdict)
  WHERE role <> 'thumbnail';
CREATE INDEX assets_counted ON assets (role, state, mime, model, project_id, verdict) WHERE role <> 'thumbnail';
`;
