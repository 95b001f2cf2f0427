/**
 * How many assets the library lists on each local day, by each facet alone: the days of a list are sums over some rows instead of a count over
 * all assets. What a day is depends on this machine's zone, so the connection counts (`src/main/core/store/dayCounts.ts`).
 * `last` is the greatest number of an asset that was counted there: days stand in the order of the list.
 */
export const assetDays = `
CREATE TABLE asset_days (
  facet TEXT NOT NULL,
  value TEXT NOT NULL,
  role TEXT NOT NULL,
  day INTEGER NOT NULL,
  n INTEGER NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (facet, value, role, day)
) STRICT, WITHOUT ROWID;
`;
