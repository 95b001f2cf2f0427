/**
 * The highest price that the user has confirmed for a job, so that one whose price rises later waits for them. NULL: it was ordered at a
 * price that was not known. What is open in an earlier version was confirmed at the price that it has.
 */
export const confirmedPrices = `
ALTER TABLE jobs ADD COLUMN confirmed_nano INTEGER;
UPDATE jobs SET confirmed_nano = estimate_nano
  WHERE state IN ('queued', 'blocked', 'sending', 'running', 'fetching', 'uncertain') AND price <> 'null';
`;
