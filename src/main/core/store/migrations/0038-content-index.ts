/** How many assets have a content, and the first of them on this disk, are read from the index alone. */
export const contentIndex = `
DROP INDEX assets_by_hash;
CREATE INDEX assets_by_hash ON assets (sha256, state);
`;
