/**
 * What is looked for at every start is in an index of its own, which is as small as that is: attempts of which nobody knows how they ended,
 * and jobs in doubt with all that is summed and asked of them. Ended jobs, which are by far the most, are not walked for it.
 */
export const openWork = `
CREATE INDEX attempts_sending ON attempts (job_id) WHERE outcome = 'sending';
DROP INDEX jobs_in_doubt;
CREATE INDEX jobs_in_doubt ON jobs (seq, state, kind, play, uncertain_nano, unpriced_doubt)
  WHERE state = 'uncertain' OR uncertain_nano > 0 OR unpriced_doubt > 0;
`;
