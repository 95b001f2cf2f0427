/**
 * The fields of a request that its gateway does not take and that were not sent, as a JSON list. A result shows the seed that it was made
 * with, so it is newer once that is known.
 */
export const omittedFields = `
ALTER TABLE jobs ADD COLUMN omitted TEXT;
DROP TRIGGER jobs_shown_by_assets;
CREATE TRIGGER jobs_shown_by_assets AFTER UPDATE OF verdict, differs, omitted ON jobs
  WHEN NEW.verdict IS NOT OLD.verdict OR NEW.differs IS NOT OLD.differs OR NEW.omitted IS NOT OLD.omitted BEGIN
  UPDATE assets SET verdict = NEW.verdict, revision = revision + 1 WHERE job_id = NEW.id;
END;
`;
