const IN_DOUBT = (job: string): string =>
  `(${job}.state = 'uncertain' OR ${job}.uncertain_nano > 0 OR ${job}.unpriced_doubt > 0)`;
const add = (job: 'NEW' | 'OLD', by: 1 | -1): string =>
  `INSERT INTO doubt_sums (play, count, nano, unpriced)
    SELECT ${job}.play, ${by}, ${by} * ${job}.uncertain_nano, ${by} * ${job}.unpriced_doubt WHERE ${IN_DOUBT(job)}
    ON CONFLICT DO UPDATE SET count = count + excluded.count, nano = nano + excluded.nano, unpriced = unpriced + excluded.unpriced;`;
const COLUMNS = ['state', 'play', 'uncertain_nano', 'unpriced_doubt'];

/**
 * What is in doubt, by real and play money, as sums that triggers keep: every page shows them, and a charge of which only the bill can tell
 * the rest stays in doubt for years.
 */
export const doubtSums = `
CREATE TABLE doubt_sums (
  play INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL
) STRICT;
INSERT INTO doubt_sums (play, count, nano, unpriced)
  SELECT play, count(*), sum(uncertain_nano), sum(unpriced_doubt) FROM jobs WHERE ${IN_DOUBT('jobs')} GROUP BY play;

CREATE TRIGGER jobs_doubted_added AFTER INSERT ON jobs WHEN ${IN_DOUBT('NEW')} BEGIN
  ${add('NEW', 1)}
END;
CREATE TRIGGER jobs_doubted_removed AFTER DELETE ON jobs WHEN ${IN_DOUBT('OLD')} BEGIN
  ${add('OLD', -1)}
END;
CREATE TRIGGER jobs_doubted_changed AFTER UPDATE OF ${COLUMNS.join(', ')} ON jobs
  WHEN (${IN_DOUBT('NEW')} OR ${IN_DOUBT('OLD')}) AND NOT (${COLUMNS.map((column) => `NEW.${column} = OLD.${column}`).join(' AND ')}) BEGIN
  ${add('OLD', -1)}
  ${add('NEW', 1)}
END;
`;
