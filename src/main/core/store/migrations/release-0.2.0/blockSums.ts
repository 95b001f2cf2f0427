/** So many numbers, 2 ** 11, are one block. */
const BITS = 11;
const blockOf = (row: string): string => `${row}.seq >> ${BITS}`;

const OPEN = `('queued', 'blocked', 'sending', 'running', 'fetching')`;
/** What is open is one; which state it is in changes often. */
const endOf = (job: string): string => `CASE WHEN ${job}.state IN ${OPEN} THEN 'open' ELSE ${job}.state END`;
const JOB_VALUES: Readonly<Record<string, (job: string) => string>> = {
  all: () => `''`,
  kind: (job) => `${job}.kind`,
  play: (job) => `CAST(${job}.play AS TEXT)`,
  project: (job) => `${job}.project_id`,
  model: (job) => `${job}.model`,
  verdict: (job) => `coalesce(${job}.verdict, 'none')`,
};
const JOB_COLUMNS = 'state, kind, play, project_id, model, verdict';

const CLASSES = ['image', 'video', 'audio'].map((name) => [name, `'${name}/%'`] as const);
const classOf = (asset: string): string =>
  `CASE ${CLASSES.map(([name, like]) => `WHEN ${asset}.mime LIKE ${like} THEN '${name}'`).join(' ')} END`;
const ASSET_VALUES: Readonly<Record<string, (asset: string) => string>> = {
  all: () => `''`,
  type: classOf,
  state: (asset) => `${asset}.state`,
  verdict: (asset) => `coalesce(${asset}.verdict, 'none')`,
  model: (asset) => `${asset}.model`,
  project: (asset) => `${asset}.project_id`,
  starred: (asset) => `CASE ${asset}.starred WHEN 1 THEN 'true' ELSE 'false' END`,
};
const ASSET_COLUMNS = 'role, state, mime, model, project_id, verdict, starred, binned_at';

interface Counted {
  rows: string;
  sums: string;
  /** The column of the sums beside the facet, and its value. */
  part: string;
  partOf(row: string): string;
  values: Readonly<Record<string, (row: string) => string>>;
  /** What a sum depends on. */
  columns: string;
  isCounted(row: string): string;
}

const JOBS: Counted = {
  rows: 'jobs',
  sums: 'job_blocks',
  part: 'ended',
  partOf: endOf,
  values: JOB_VALUES,
  columns: JOB_COLUMNS,
  isCounted: () => 'true',
};
const ASSETS: Counted = {
  rows: 'assets',
  sums: 'asset_blocks',
  part: 'role',
  partOf: (asset) => `${asset}.role`,
  values: ASSET_VALUES,
  columns: ASSET_COLUMNS,
  isCounted: (asset) => `(${asset}.role <> 'thumbnail' AND ${asset}.binned_at IS NULL)`,
};

/** The sums of a row by each facet; those that are the same before and after a change are left alone. */
function add(of: Counted, row: 'NEW' | 'OLD', by: 1 | -1, isChange: boolean): string {
  const placeOf = (value: (row: string) => string, one: string): string =>
    `CASE WHEN ${of.isCounted(one)} THEN ${of.partOf(one)} || char(0) || ${value(one)} END`;
  const sums = Object.entries(of.values).map(([facet, value]) => {
    const changed = isChange ? ` AND ${placeOf(value, 'NEW')} IS NOT ${placeOf(value, 'OLD')}` : '';
    return `SELECT '${facet}', ${value(row)}, ${of.partOf(row)}, ${blockOf(row)}, ${by}
      WHERE ${of.isCounted(row)} AND ${value(row)} IS NOT NULL${changed}`;
  });
  return `INSERT INTO ${of.sums} (facet, value, ${of.part}, block, n)
    SELECT * FROM (${sums.join(' UNION ALL ')}) WHERE true
    ON CONFLICT DO UPDATE SET n = n + excluded.n;`;
}

function kept(counted: Counted): string {
  const { rows, sums, part, partOf, values, columns, isCounted } = counted;
  const differs = [isCounted, partOf, ...Object.values(values).slice(1)].map(
    (value) => `${value('NEW')} IS NOT ${value('OLD')}`,
  );
  const before = Object.entries(values).map(
    ([facet, value]) => `INSERT INTO ${sums} (facet, value, ${part}, block, n)
      SELECT '${facet}', ${value('r')}, ${partOf('r')}, ${blockOf('r')}, count(*) FROM ${rows} r
        WHERE ${isCounted('r')} AND ${value('r')} IS NOT NULL GROUP BY 2, 3, 4;`,
  );
  return `
CREATE TABLE ${sums} (
  facet TEXT NOT NULL,
  value TEXT NOT NULL,
  ${part} TEXT NOT NULL,
  block INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (facet, value, ${part}, block)
) STRICT, WITHOUT ROWID;
${before.join('\n')}
CREATE TRIGGER ${sums}_added AFTER INSERT ON ${rows} WHEN ${isCounted('NEW')} BEGIN
  ${add(counted, 'NEW', 1, false)}
END;
CREATE TRIGGER ${sums}_removed AFTER DELETE ON ${rows} WHEN ${isCounted('OLD')} BEGIN
  ${add(counted, 'OLD', -1, false)}
END;
CREATE TRIGGER ${sums}_changed AFTER UPDATE OF ${columns} ON ${rows} WHEN ${differs.join(' OR ')} BEGIN
  ${add(counted, 'OLD', -1, true)}
  ${add(counted, 'NEW', 1, true)}
END;
`;
}

/**
 * How many jobs and listed assets there are in each block of numbers, by each of what they are filtered by alone: a page by its place is found in
 * sums of blocks instead of in the rows in front of it. Triggers keep them, so that no statement can forget one.
 */
export const blocks = kept(JOBS) + kept(ASSETS);
