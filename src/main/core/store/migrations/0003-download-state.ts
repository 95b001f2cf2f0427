/**
 * The state of a result's download: how often its address gave something that is not the file, and why it is not here yet, or never will
 * be.
 */
export const downloadState = `
ALTER TABLE assets ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN fault TEXT;
`;
