/** What an id ends with behind its last slash: `operations/abc` and `abc` are one. A query that is to use the index says the same. */
const LAST_PART = `substr(remote_id, length(rtrim(remote_id, replace(remote_id, '/', ''))) + 1)`;

/** A bill's lines by everything else that a job is known by, and by what was decided. */
export const linesOfJobs = `
CREATE INDEX statement_lines_by_part ON statement_lines (${LAST_PART}) WHERE instr(remote_id, '/') > 0;
CREATE INDEX statement_lines_by_key ON statement_lines (request_key) WHERE request_key <> '';
CREATE INDEX statement_decisions_by_job ON statement_decisions (job_id) WHERE undone_at IS NULL AND job_id IS NOT NULL;
`;
