/**
 * Indexes that let lists be counted and read at any offset without reading the skipped rows, because a request or a prompt is far larger
 * than an index entry. An asset also shows how its job's result differs from the request, so its revision increases when that changes.
 */
export const listed = `
CREATE INDEX jobs_listed ON jobs (seq, state, kind, project_id, play);
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano, play) WHERE state IN ('queued', 'blocked');
CREATE INDEX assets_listed ON assets (seq, role, state, created_at, mime, project_id, job_id) WHERE role <> 'thumbnail';

DROP TRIGGER jobs_judged_assets;
CREATE TRIGGER jobs_shown_by_assets AFTER UPDATE OF verdict, differs ON jobs
  WHEN NEW.verdict IS NOT OLD.verdict OR NEW.differs IS NOT OLD.differs BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id;
END;
`;
