/** What a result's address has answered so far: how often it gave something that is no file, and why it is not here yet, or never will be. */
export const custody = `
ALTER TABLE assets ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN fault TEXT;
`;
