/** What has ended since a moment is counted, and what waits is summed with what has no price, without reading the jobs themselves. */
export const ended = `
CREATE INDEX jobs_ended ON jobs (finished_at, state, kind, play, verdict, (error ->> 'kind')) WHERE finished_at IS NOT NULL;
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (position, seq, reserved_nano, play, (price = 'null')) WHERE state IN ('queued', 'blocked');
`;
