const MONEY = ['settled_nano', 'settled_low_nano', 'reserved_nano', 'uncertain_nano', 'unpriced'] as const;
const SUMS = [...MONEY, 'job_count'];
/** Of any type: one that is too large for an integer becomes a float, which reports tell as inexact. */
const SUM_COLUMNS = MONEY.map((name) => `${name} ANY NOT NULL,`).join('\n  ');

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

/** An entry may belong to no job, a line of a bill that was not ordered from this machine, and counts as none. */
const addToSum = (by: By): string => `
  INSERT INTO ledger_sums (play, grouped_by, day, key, profile_id, ${MONEY.join(', ')}, job_count)
    VALUES (NEW.play, '${by}', NEW.day, ${GROUPED[by]('NEW')}, NEW.profile_id, ${MONEY.map((name) => `NEW.${name}`).join(', ')},
      NEW.job_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE ${sameGroup(by)} AND e.day = NEW.day AND e.seq <> NEW.seq))
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
 * entries of several days: a job that is counted on a day and on an earlier one is one job of a period with both.
 */
const LEDGER_SUMS = `
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
  ${SUM_COLUMNS}
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

${OVER_DAYS.map(trackRevisits).join('')}
CREATE TRIGGER ledger_summed AFTER INSERT ON ledger_entries BEGIN
  INSERT INTO ledger_days VALUES (NEW.play, NEW.day, NEW.counted_at, NEW.counted_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at);
  ${ALL.map(addToSum).join('')}
END;
`;

const month = (row: string): string => `substr(${row}.day, 1, 7)`;

/** Adds what `amount` says of each sum to the month of NEW. By day there are no sums of months. */
const addToMonth = (event: string, amount: (name: string) => string): string => `
CREATE TRIGGER ledger_month_${event.toLowerCase()} AFTER ${event} ON ledger_sums WHEN NEW.grouped_by <> 'day' BEGIN
  INSERT INTO ledger_months (play, grouped_by, month, key, profile_id, ${SUMS.join(', ')})
    VALUES (NEW.play, NEW.grouped_by, ${month('NEW')}, NEW.key, NEW.profile_id, ${SUMS.map(amount).join(', ')})
    ON CONFLICT DO UPDATE SET ${SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')};
END;`;

/** A report of years reads tens of rows for each thing that it is grouped by instead of a thousand. */
const LEDGER_MONTHS = `
CREATE TABLE ledger_months (
  play INTEGER NOT NULL,
  grouped_by TEXT NOT NULL,
  month TEXT NOT NULL,
  key TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  ${SUM_COLUMNS}
  job_count INTEGER NOT NULL,
  PRIMARY KEY (play, grouped_by, month, key, profile_id)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_months
  SELECT play, grouped_by, ${month('s')} AS month, key, profile_id, ${MONEY.map(sumOf).join(', ')}, sum(job_count)
  FROM ledger_sums s WHERE grouped_by <> 'day' GROUP BY play, grouped_by, month, key, profile_id;
${addToMonth('INSERT', (name) => `NEW.${name}`)}
${addToMonth('UPDATE', (name) => `NEW.${name} - OLD.${name}`)}
`;

const IN_DOUBT = (job: string): string =>
  `(${job}.state = 'uncertain' OR ${job}.uncertain_nano > 0 OR ${job}.unpriced_doubt > 0)`;
const addDoubt = (job: 'NEW' | 'OLD', by: 1 | -1): string =>
  `INSERT INTO doubt_sums (play, count, nano, unpriced)
    SELECT ${job}.play, ${by}, ${by} * ${job}.uncertain_nano, ${by} * ${job}.unpriced_doubt WHERE ${IN_DOUBT(job)}
    ON CONFLICT DO UPDATE SET count = count + excluded.count, nano = nano + excluded.nano, unpriced = unpriced + excluded.unpriced;`;
const DOUBT_COLUMNS = ['state', 'play', 'uncertain_nano', 'unpriced_doubt'];

/** Every page shows what is in doubt, and a charge of which only the bill can tell the rest stays in doubt for years. */
const DOUBT_SUMS = `
CREATE TABLE doubt_sums (
  play INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  nano INTEGER NOT NULL,
  unpriced INTEGER NOT NULL
) STRICT;
INSERT INTO doubt_sums (play, count, nano, unpriced)
  SELECT play, count(*), sum(uncertain_nano), sum(unpriced_doubt) FROM jobs WHERE ${IN_DOUBT('jobs')} GROUP BY play;

CREATE TRIGGER jobs_doubted_added AFTER INSERT ON jobs WHEN ${IN_DOUBT('NEW')} BEGIN
  ${addDoubt('NEW', 1)}
END;
CREATE TRIGGER jobs_doubted_removed AFTER DELETE ON jobs WHEN ${IN_DOUBT('OLD')} BEGIN
  ${addDoubt('OLD', -1)}
END;
CREATE TRIGGER jobs_doubted_changed AFTER UPDATE OF ${DOUBT_COLUMNS.join(', ')} ON jobs
  WHEN (${IN_DOUBT('NEW')} OR ${IN_DOUBT('OLD')}) AND NOT (${DOUBT_COLUMNS.map((column) => `NEW.${column} = OLD.${column}`).join(' AND ')}) BEGIN
  ${addDoubt('OLD', -1)}
  ${addDoubt('NEW', 1)}
END;
`;

/** What an id ends with behind its last slash: `operations/abc` and `abc` are one. A query that is to use the index says the same. */
const LAST_PART = `substr(remote_id, length(rtrim(remote_id, replace(remote_id, '/', ''))) + 1)`;

/**
 * Bills of gateways that were read, their lines, and what the user decided about each: a hash says which line it is, whatever text it
 * stands in. A decision that is taken back stays, with its time.
 */
const STATEMENTS = `
CREATE TABLE statements (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  profile_id TEXT NOT NULL,
  text_key TEXT NOT NULL UNIQUE,
  name TEXT,
  read_at INTEGER NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  facts TEXT NOT NULL,
  complete INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE statement_lines (
  statement_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  line INTEGER NOT NULL,
  at INTEGER NOT NULL,
  span_ms INTEGER NOT NULL,
  remote_id TEXT NOT NULL,
  request_key TEXT NOT NULL,
  model TEXT NOT NULL,
  units REAL,
  nano INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (statement_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_lines_by_remote ON statement_lines (remote_id) WHERE remote_id <> '';
CREATE INDEX statement_lines_by_part ON statement_lines (${LAST_PART}) WHERE instr(remote_id, '/') > 0;
CREATE INDEX statement_lines_by_key ON statement_lines (request_key) WHERE request_key <> '';

CREATE TABLE statement_decisions (
  seq INTEGER PRIMARY KEY,
  profile_id TEXT NOT NULL,
  statement_id TEXT NOT NULL,
  line_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  decided_as TEXT NOT NULL,
  job_id TEXT,
  done TEXT,
  shown TEXT NOT NULL,
  at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
CREATE INDEX statement_decisions_by_hash ON statement_decisions (profile_id, hash) WHERE undone_at IS NULL;
CREATE INDEX statement_decisions_by_job ON statement_decisions (job_id) WHERE undone_at IS NULL AND job_id IS NOT NULL;
`;

/** Which price counts against a night's budget, and what each night has reserved at the lower one. */
const NIGHT_BUDGETS = `
ALTER TABLE budgets ADD COLUMN reading TEXT NOT NULL DEFAULT 'high';
ALTER TABLE spend ADD COLUMN reserved_low_nano INTEGER NOT NULL DEFAULT 0;
UPDATE spend SET reserved_low_nano = (
  SELECT coalesce(sum(jobs.reserved_low_nano), 0) FROM jobs
  WHERE jobs.reserved_low_nano > 0 AND jobs.money_run = spend.key AND jobs.play = spend.play
) WHERE scope = 'run';
`;

export const money = `
ALTER TABLE ledger_entries ALTER COLUMN job_id DROP NOT NULL;
${NIGHT_BUDGETS}${LEDGER_SUMS}${LEDGER_MONTHS}${DOUBT_SUMS}${STATEMENTS}`;
