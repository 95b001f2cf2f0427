/**
 * The sums of open jobs are read from an index that holds all of them, several times a second while jobs change; and the job of a task is
 * found without walking all jobs, for every webhook that comes before its answer.
 */
export const openJobs = `
CREATE INDEX jobs_open ON jobs (lane, state, position, reserved_nano, price = 'null')
  WHERE state IN ('queued', 'blocked', 'sending', 'running', 'fetching');
CREATE INDEX jobs_by_remote ON jobs (remote_id) WHERE remote_id IS NOT NULL;
`;
