/** A result whose place answers with a refusal was not made: the kind of that refusal, where there is one. */
export const refusals = `
ALTER TABLE assets ADD COLUMN refusal TEXT;
`;
