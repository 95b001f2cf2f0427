/** What an answer stated as its cost, what came otherwise than it was ordered, and why a charge is not the price times the order. */
export const stated = `
ALTER TABLE jobs ADD COLUMN stated_nano INTEGER;
ALTER TABLE jobs ADD COLUMN stated_by TEXT;
ALTER TABLE jobs ADD COLUMN stated_as TEXT;
ALTER TABLE jobs ADD COLUMN money_note TEXT;
ALTER TABLE jobs ADD COLUMN differs TEXT;

ALTER TABLE assets ADD COLUMN audio INTEGER;
`;
