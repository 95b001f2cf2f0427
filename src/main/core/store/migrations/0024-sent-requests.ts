/**
 * What was sent for a job that is being sent or is in doubt, so that the same bytes can be sent again under their idempotency key; never
 * a secret. A long body is in a file. `other_account`: the profile has other secrets now. A job in doubt shows what is kept of it; a row
 * comes and goes only with another state of its job.
 */
export const sentRequests = `
CREATE TABLE sent_requests (
  job_id TEXT PRIMARY KEY,
  form TEXT NOT NULL,
  base_url TEXT NOT NULL,
  path TEXT NOT NULL,
  headers TEXT NOT NULL,
  auth_header TEXT,
  key TEXT NOT NULL,
  account TEXT NOT NULL,
  other_account INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  body TEXT,
  in_file INTEGER NOT NULL DEFAULT 0,
  missing TEXT
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sent_requests_shown AFTER UPDATE ON sent_requests BEGIN
  UPDATE jobs SET revision = revision + 1 WHERE id IN (OLD.job_id, NEW.job_id);
END;
ALTER TABLE attempts ADD COLUMN again INTEGER NOT NULL DEFAULT 0;
`;
