/**
 * Changes of many jobs that are decided and not finished: they go on at the next start, before anything is sent. And the newest job that
 * was made from one that ended, so that it is requested again once.
 */
export const manyJobs = `
ALTER TABLE jobs ADD COLUMN retried_as TEXT;
CREATE TABLE unfinished_changes (
  seq INTEGER PRIMARY KEY,
  change TEXT NOT NULL,
  job_ids TEXT NOT NULL
) STRICT;
`;
