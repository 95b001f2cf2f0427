/** The revision that a job got when its request was edited last, so that an edit of an older request is told from one of this one. */
export const editedRequests = `
ALTER TABLE jobs ADD COLUMN request_revision INTEGER NOT NULL DEFAULT 0;
`;
