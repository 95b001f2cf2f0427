/**
 * What the sidecar of a file from elsewhere said of how it was made, as JSON (`shared/sidecar.ts`). It stands at the asset and nowhere else:
 * there is no job here that it belongs to, and no sum of money may count what was paid elsewhere.
 */
export const elsewhere = `
ALTER TABLE assets ADD COLUMN elsewhere TEXT;
`;
