/** A result of the job; what else belongs to it (frames, thumbnails) cost nothing. */
const IS_RESULT = `role IN ('output', 'grid')`;

/** Its equal share of what the job was charged; what cannot be divided is added to the first ones, so that the shares are the charge. */
const share = (job: string, charged: string): string =>
  `${charged} / (SELECT count(*) FROM assets o WHERE o.job_id = ${job} AND o.${IS_RESULT})
    + (coalesce(output_index, 0) < ${charged} % (SELECT count(*) FROM assets o WHERE o.job_id = ${job} AND o.${IS_RESULT}))`;

const chargedOf = (job: string): string => `(SELECT charged_nano FROM jobs WHERE id = ${job})`;

/**
 * What is shown of a job at its assets too, so that the library is filtered and ordered without touching a job. A page that shows what a
 * result may have cost at least learns when a settled price changes only that.
 */
const OF_JOBS = `
DROP TRIGGER jobs_shown_by_assets;
CREATE TRIGGER jobs_shown_by_assets AFTER UPDATE OF verdict, differs, omitted ON jobs
  WHEN NEW.verdict IS NOT OLD.verdict OR NEW.differs IS NOT OLD.differs OR NEW.omitted IS NOT OLD.omitted BEGIN
  UPDATE assets SET verdict = NEW.verdict, revision = revision + 1 WHERE job_id = NEW.id;
END;
CREATE TRIGGER assets_added_judged AFTER INSERT ON assets
  WHEN (SELECT verdict FROM jobs WHERE id = NEW.job_id) IS NOT NULL BEGIN
  UPDATE assets SET verdict = (SELECT verdict FROM jobs WHERE id = NEW.job_id) WHERE seq = NEW.seq;
END;
CREATE TRIGGER assets_cost_of_charge AFTER UPDATE OF charged_nano ON jobs WHEN NEW.charged_nano <> OLD.charged_nano BEGIN
  UPDATE assets SET cost_nano = ${share('NEW.id', 'NEW.charged_nano')} WHERE job_id = NEW.id AND ${IS_RESULT};
END;
CREATE TRIGGER assets_cost_of_result AFTER INSERT ON assets
  WHEN NEW.${IS_RESULT} AND ${chargedOf('NEW.job_id')} <> 0 BEGIN
  UPDATE assets SET cost_nano = ${share('NEW.job_id', chargedOf('NEW.job_id'))} WHERE job_id = NEW.job_id AND ${IS_RESULT};
END;
CREATE TRIGGER assets_low_cost_of_charge AFTER UPDATE OF charged_nano, charged_low_nano ON jobs
  WHEN NEW.charged_low_nano <> OLD.charged_low_nano OR NEW.charged_nano <> OLD.charged_nano BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id AND cost_nano <> 0;
END;
`;

const REVISE = `UPDATE assets SET revision = revision + 1 WHERE seq =`;

/** What is taken from a file in the bin later, such as its thumbnail, is in the bin with it; a clip shows its last frame. */
const MARKS = `
CREATE TRIGGER assets_added_binned AFTER INSERT ON assets
  WHEN (SELECT binned_at FROM assets WHERE id = NEW.parent_id) IS NOT NULL BEGIN
  UPDATE assets SET binned_at = (SELECT binned_at FROM assets WHERE id = NEW.parent_id) WHERE seq = NEW.seq;
END;
CREATE TRIGGER assets_frame_deleted AFTER UPDATE OF emptied ON assets
  WHEN NEW.role = 'frame' AND NEW.emptied <> OLD.emptied BEGIN
  UPDATE assets SET revision = revision + 1 WHERE id = NEW.parent_id;
END;

CREATE TABLE asset_tags (
  asset INTEGER NOT NULL REFERENCES assets (seq) ON DELETE CASCADE,
  fold TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (asset, fold)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_tags_by_fold ON asset_tags (fold, asset, tag);
CREATE TRIGGER asset_tags_added AFTER INSERT ON asset_tags BEGIN ${REVISE} NEW.asset; END;
CREATE TRIGGER asset_tags_changed AFTER UPDATE ON asset_tags BEGIN ${REVISE} NEW.asset; ${REVISE} OLD.asset; END;
CREATE TRIGGER asset_tags_removed AFTER DELETE ON asset_tags BEGIN ${REVISE} OLD.asset; END;

-- Masks that are being painted, newest turn last. One of a picture that is deleted from the bin goes with it.
CREATE TABLE mask_drafts (
  turn INTEGER PRIMARY KEY AUTOINCREMENT,
  asset INTEGER NOT NULL UNIQUE REFERENCES assets (seq) ON DELETE CASCADE,
  size INTEGER NOT NULL,
  draft TEXT NOT NULL
) STRICT;
CREATE TRIGGER mask_drafts_of_deleted AFTER UPDATE OF emptied ON assets WHEN NEW.emptied = 1 BEGIN
  DELETE FROM mask_drafts WHERE asset = NEW.seq;
END;
`;

/** What is in the bin is in no index that the library is listed, ordered or counted by, and in one of its own; what was deleted is in neither. */
const INDEXES = `
DROP INDEX assets_listed;
CREATE INDEX assets_listed ON assets (seq, role, state, created_at, mime, project_id, job_id, model, verdict, starred, binned_at)
  WHERE role <> 'thumbnail' AND binned_at IS NULL;
CREATE INDEX assets_counted ON assets (role, state, mime, model, project_id, verdict, starred, binned_at)
  WHERE role <> 'thumbnail' AND binned_at IS NULL;
CREATE INDEX assets_binned
  ON assets (seq, role, state, created_at, mime, project_id, job_id, model, verdict, starred, binned_at, emptied)
  WHERE role <> 'thumbnail' AND binned_at IS NOT NULL AND emptied = 0;
CREATE INDEX assets_by_cost ON assets (cost_nano, seq) WHERE role <> 'thumbnail' AND binned_at IS NULL;
CREATE INDEX assets_by_bytes ON assets (bytes, seq) WHERE role <> 'thumbnail' AND binned_at IS NULL;
CREATE INDEX assets_by_seconds ON assets (coalesce(seconds, 0), seq) WHERE role <> 'thumbnail' AND binned_at IS NULL;
CREATE INDEX assets_by_name ON assets (name COLLATE NOCASE, seq) WHERE role <> 'thumbnail' AND binned_at IS NULL;
DROP INDEX assets_by_hash;
CREATE INDEX assets_by_hash ON assets (sha256, state);
`;

/** What the library is counted by, in the order of the columns; what has no value is told from an empty text. */
const COLUMNS = ['role', 'state', 'mime', 'model', 'project_id', 'verdict', 'starred'];
const isCounted = (asset: string): string => `${asset}role <> 'thumbnail' AND ${asset}binned_at IS NULL`;

/** A trigger of the insert may change the asset before it is counted: then the sum is one less for a moment, and may be below zero. */
const add = (asset: 'NEW' | 'OLD', by: 1 | -1): string =>
  `INSERT INTO asset_counts (${COLUMNS.join(', ')}, n, bytes)
    SELECT ${COLUMNS.map((column) => `${asset}.${column}`).join(', ')}, ${by}, ${by} * ${asset}.bytes WHERE ${isCounted(`${asset}.`)}
    ON CONFLICT DO UPDATE SET n = n + excluded.n, bytes = bytes + excluded.bytes;`;

/** The library's facets, figures and totals are sums over some rows instead of counts over all assets. */
const COUNTS = `
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

/**
 * `out_ms`: a clip that the film ends before its own end has last frames of its own, one for each of those out points; NULL in `assets` and 0
 * in `media_tasks` for that of the clip's own end. Clips are described and measured by content hash, so that a file is decoded once.
 */
const MEDIA = `
CREATE TABLE media_tasks_with_points (
  id TEXT PRIMARY KEY,
  asset_id TEXT NOT NULL REFERENCES assets (id),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  claimed_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  out_ms INTEGER NOT NULL DEFAULT 0,
  UNIQUE (asset_id, kind, out_ms)
) STRICT;
INSERT INTO media_tasks_with_points (id, asset_id, kind, state, claimed_at, tries, error)
  SELECT id, asset_id, kind, state, claimed_at, tries, error FROM media_tasks ORDER BY rowid;
DROP TABLE media_tasks;
ALTER TABLE media_tasks_with_points RENAME TO media_tasks;
CREATE INDEX media_tasks_by_state ON media_tasks (state);

CREATE TABLE clip_facts (
  sha256 TEXT PRIMARY KEY,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE media_measures (
  sha256 TEXT PRIMARY KEY,
  method INTEGER NOT NULL,
  measures TEXT NOT NULL
) STRICT;
`;

/**
 * `elsewhere`: what the sidecar of a file from another program said of how it was made, as JSON; no sum of money may count what was paid
 * elsewhere. Where the library is now is said by a file beside the database, which no restored backup changes.
 */
export const library = `
ALTER TABLE assets ADD COLUMN verdict TEXT;
ALTER TABLE assets ADD COLUMN cost_nano INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN elsewhere TEXT;
ALTER TABLE assets ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN binned_at INTEGER;
ALTER TABLE assets ADD COLUMN emptied INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN out_ms INTEGER;
UPDATE assets SET verdict = (SELECT j.verdict FROM jobs j WHERE j.id = assets.job_id)
  WHERE job_id IN (SELECT id FROM jobs WHERE verdict IS NOT NULL);
UPDATE assets SET cost_nano = ${share('assets.job_id', chargedOf('assets.job_id'))}
  WHERE job_id IN (SELECT id FROM jobs WHERE charged_nano <> 0) AND ${IS_RESULT};
${OF_JOBS}${MARKS}${INDEXES}${COUNTS}${MEDIA}
CREATE TABLE library_moves (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'running',
  phase TEXT NOT NULL DEFAULT 'copy',
  from_home TEXT NOT NULL,
  to_home TEXT NOT NULL,
  library TEXT NOT NULL,
  keeps_old INTEGER NOT NULL,
  has_old INTEGER NOT NULL DEFAULT 0,
  paused INTEGER NOT NULL DEFAULT 0,
  files INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  damaged INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  progress INTEGER NOT NULL DEFAULT 0
) STRICT;
`;
