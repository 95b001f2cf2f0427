/**
 * What a hard cap holds back is found by the caps that concern it and by what it lacks, without reading the jobs themselves: an event
 * that frees money for one must not read thousands.
 */
export const shortOfMoney = `
CREATE INDEX jobs_short_of_money ON jobs
  (play, run_id, project_id, (price = 'null' AND unpriced_allowed = 0), position, seq, estimate_nano - reserved_nano)
  WHERE state = 'blocked' AND reason = 'budget';
`;
