/** Lists are counted and read at any place without touching the rows that are passed over: a request or a prompt is far larger than these. */
export const listed = `
CREATE INDEX jobs_listed ON jobs (seq, state, kind, project_id);
CREATE INDEX assets_listed ON assets (seq, role, state, created_at, mime, project_id, job_id) WHERE role <> 'thumbnail';
`;
