/** What the library is counted by, in the order of the columns; what has no value is told from an empty text. */
const COLUMNS = ['role', 'state', 'mime', 'model', 'project_id', 'verdict', 'starred'];
const isCounted = (asset: string): string => `${asset}role <> 'thumbnail' AND ${asset}binned_at IS NULL`;

/** A trigger of the insert may change the asset before it is counted: then the sum is one less for a moment, and may be below zero. */
const add = (asset: 'NEW' | 'OLD', by: 1 | -1): string =>
  `INSERT INTO asset_counts (${COLUMNS.join(', ')}, n, bytes)
    SELECT ${COLUMNS.map((column) => `${asset}.${column}`).join(', ')}, ${by}, ${by} * ${asset}.bytes WHERE ${isCounted(`${asset}.`)}
    ON CONFLICT DO UPDATE SET n = n + excluded.n, bytes = bytes + excluded.bytes;`;

/**
 * How many assets, and of how many bytes, the library lists by all that it is filtered by and that has few values: its facets, its figures and the total of a list are sums over
 * some rows instead of counts over all assets. Triggers keep it, so that no statement can forget it.
 */
export const assetCounts = `
CREATE TABLE asset_counts (
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  mime TEXT NOT NULL,
  model TEXT,
  project_id TEXT,
  verdict TEXT,
  starred INTEGER NOT NULL,
  n INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX asset_counts_key
  ON asset_counts (role, state, mime, coalesce(model, 0), coalesce(project_id, 0), coalesce(verdict, 0), starred);
INSERT INTO asset_counts (${COLUMNS.join(', ')}, n, bytes)
  SELECT ${COLUMNS.join(', ')}, count(*), sum(bytes) FROM assets WHERE ${isCounted('')} GROUP BY ${COLUMNS.join(', ')};

CREATE TRIGGER assets_counted_added AFTER INSERT ON assets BEGIN
  ${add('NEW', 1)}
END;
CREATE TRIGGER assets_counted_removed AFTER DELETE ON assets BEGIN
  ${add('OLD', -1)}
END;
CREATE TRIGGER assets_counted_changed AFTER UPDATE OF ${COLUMNS.join(', ')}, bytes, binned_at ON assets
  WHEN NOT (${COLUMNS.map((column) => `NEW.${column} IS OLD.${column}`).join(' AND ')}
    AND NEW.bytes = OLD.bytes AND (NEW.binned_at IS NULL) = (OLD.binned_at IS NULL)) BEGIN
  ${add('OLD', -1)}
  ${add('NEW', 1)}
END;
`;
