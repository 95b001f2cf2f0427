const MONEY = ['settled_nano', 'settled_low_nano', 'reserved_nano', 'uncertain_nano', 'unpriced'] as const;

/** What the ledger is grouped by, each with the entry's value of it. */
const GROUPED = {
  day: (entry: string) => `${entry}.day`,
  model: (entry: string) => `coalesce(${entry}.model, '')`,
  kind: (entry: string) => `${entry}.kind`,
  project: (entry: string) => `coalesce(${entry}.project_id, '')`,
};

type By = keyof typeof GROUPED;
const ALL = Object.keys(GROUPED) as By[];
/** A job with entries of several days is one job of them all. By day it is one of each. */
const OVER_DAYS = ALL.filter((by) => by !== 'day');

/** Whether `e` is another entry of the same job and group as NEW, on whatever day. */
const sameGroup = (by: By): string =>
  `e.job_id = NEW.job_id AND e.play = NEW.play AND e.profile_id = NEW.profile_id AND ${GROUPED[by]('e')} = ${GROUPED[by]('NEW')}`;

const addToSum = (by: By, counts: string): string => `
  INSERT INTO ledger_sums (play, grouped_by, day, key, profile_id, ${MONEY.join(', ')}, job_count)
    VALUES (NEW.play, '${by}', NEW.day, ${GROUPED[by]('NEW')}, NEW.profile_id, ${MONEY.map((name) => `NEW.${name}`).join(', ')},
      ${counts}NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE ${sameGroup(by)} AND e.day = NEW.day AND e.seq <> NEW.seq))
    ON CONFLICT DO UPDATE SET ${MONEY.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}, job_count = job_count + excluded.job_count;`;

/** In two parts, since the sum of an older ledger may be larger than an integer, for which `sum` would throw. */
const sumOf = (name: string): string => `sum(${name} / 1000000000) * 1000000000 + sum(${name} % 1000000000)`;

const sumsOf = (by: By): string => `
INSERT INTO ledger_sums
  SELECT play, '${by}', day, ${GROUPED[by]('ledger_entries')} AS grouped, profile_id, ${MONEY.map(sumOf).join(', ')},
    count(DISTINCT job_id)
  FROM ledger_entries GROUP BY play, day, grouped, profile_id;`;

const revisitsOf = (by: By, condition: string): string => `
  INSERT INTO ledger_revisits
    SELECT play, '${by}', key, profile_id, job_id, day, earlier FROM (
      SELECT *, lag(day) OVER (PARTITION BY play, key, profile_id, job_id ORDER BY day) AS earlier FROM (
        SELECT DISTINCT e.play, ${GROUPED[by]('e')} AS key, e.profile_id, e.job_id, e.day FROM ledger_entries e WHERE ${condition}))
    WHERE earlier IS NOT NULL;`;

const summedBy = (counts: string): string => `CREATE TRIGGER ledger_summed AFTER INSERT ON ledger_entries BEGIN
  INSERT INTO ledger_days VALUES (NEW.play, NEW.day, NEW.counted_at, NEW.counted_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at);
  ${ALL.map((by) => addToSum(by, counts)).join('')}
END;`;

/** Where an entry may belong to no job, and counts as none (`0044-statements.ts`). */
export const summed = summedBy('NEW.job_id IS NOT NULL AND ');

/** Most jobs have entries of one day. */
const OF_SEVERAL_DAYS = 'e.job_id IN (SELECT job_id FROM ledger_entries GROUP BY job_id HAVING min(day) <> max(day))';

const trackRevisits = (by: By): string => `
CREATE TRIGGER ledger_revisited_${by} AFTER INSERT ON ledger_entries
  WHEN EXISTS (SELECT 1 FROM ledger_entries e WHERE ${sameGroup(by)} AND e.day <> NEW.day) BEGIN
  DELETE FROM ledger_revisits WHERE job_id = NEW.job_id AND grouped_by = '${by}' AND play = NEW.play AND profile_id = NEW.profile_id
    AND key = ${GROUPED[by]('NEW')};
  ${revisitsOf(by, sameGroup(by))}
END;`;

/**
 * The sums of the ledger by day and each thing that it is grouped by, so that a report does not read the entries. Entries are only added;
 * triggers add each to its sums. `ledger_days` has the first and the last time of each day's entries. `ledger_revisits` has the jobs with
 * entries of several days: a job that is counted on a day and on an earlier one is one job of a period with both. Sums are of any type,
 * since one that is too large for an integer becomes a float, which reports tell as inexact.
 */
export const ledgerSums = `
CREATE TABLE ledger_days (
  play INTEGER NOT NULL,
  day TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (play, day)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_days SELECT play, day, min(counted_at), max(counted_at) FROM ledger_entries GROUP BY play, day;

CREATE TABLE ledger_sums (
  play INTEGER NOT NULL,
  grouped_by TEXT NOT NULL,
  day TEXT NOT NULL,
  key TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  ${MONEY.map((name) => `${name} ANY NOT NULL,`).join('\n  ')}
  job_count INTEGER NOT NULL,
  PRIMARY KEY (play, grouped_by, day, key, profile_id)
) STRICT, WITHOUT ROWID;
${ALL.map(sumsOf).join('')}

CREATE TABLE ledger_revisits (
  play INTEGER NOT NULL,
  grouped_by TEXT NOT NULL,
  key TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  day TEXT NOT NULL,
  earlier_day TEXT NOT NULL,
  PRIMARY KEY (play, grouped_by, day, job_id, key, profile_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_revisits_by_job ON ledger_revisits (job_id, grouped_by);
${OVER_DAYS.map((by) => revisitsOf(by, OF_SEVERAL_DAYS)).join('')}

${summedBy('')}
${OVER_DAYS.map(trackRevisits).join('')}
`;
