/** Jobs that another library made and a bundle brought here: what is known of their money there, as JSON. No sum counts it. */
export const jobsElsewhere = `
ALTER TABLE jobs ADD COLUMN elsewhere TEXT;
`;
