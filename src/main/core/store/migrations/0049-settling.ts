/** What is being decided about many lines of a bill, a few in each transaction, as JSON: an end in the middle is finished by the next start. */
export const settling = `
ALTER TABLE statements ADD COLUMN settling TEXT;
`;
