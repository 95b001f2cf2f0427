/** What a board holds beside its shots (its cast, its sound), as one JSON object. */
export const boardContent = `
ALTER TABLE boards ADD COLUMN content TEXT NOT NULL DEFAULT '{}';
`;
