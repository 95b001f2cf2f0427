/** A bill's lines by the service's id of the job that they are for. */
export const billedLines = `
CREATE INDEX statement_lines_by_remote ON statement_lines (remote_id) WHERE remote_id <> '';
`;
