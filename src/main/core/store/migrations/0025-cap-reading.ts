/**
 * Which reading of a price counts against a night's cap, what each night has reserved at the cheaper one, and why a night that was to open
 * again did not.
 */
export const capReading = `
ALTER TABLE budgets ADD COLUMN reading TEXT NOT NULL DEFAULT 'high';
ALTER TABLE jobs ADD COLUMN reserved_low_nano INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spend ADD COLUMN reserved_low_nano INTEGER NOT NULL DEFAULT 0;
ALTER TABLE night_runs ADD COLUMN not_opened TEXT;
UPDATE jobs SET reserved_low_nano = min(reserved_nano, estimate_low_nano) WHERE money_run IS NOT NULL AND reserved_nano > 0;
UPDATE spend SET reserved_low_nano = (
  SELECT coalesce(sum(jobs.reserved_low_nano), 0) FROM jobs
  WHERE jobs.reserved_low_nano > 0 AND jobs.money_run = spend.key AND jobs.play = spend.play
) WHERE scope = 'run';
`;
