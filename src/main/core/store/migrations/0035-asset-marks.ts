const KIN = `UPDATE assets SET revision = revision + 1 WHERE seq =`;

/**
 * Stars, tags and the bin. What is in the bin is in no index that the library is listed, ordered or counted by, and in one of its own;
 * what was deleted from the bin is in neither. What is taken from a file in the bin later, such as its thumbnail, is in the bin with it.
 */
export const assetMarks = `
ALTER TABLE assets ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
ALTER TABLE assets ADD COLUMN binned_at INTEGER;
ALTER TABLE assets ADD COLUMN emptied INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER assets_added_binned AFTER INSERT ON assets
  WHEN (SELECT binned_at FROM assets WHERE id = NEW.parent_id) IS NOT NULL BEGIN
  UPDATE assets SET binned_at = (SELECT binned_at FROM assets WHERE id = NEW.parent_id) WHERE seq = NEW.seq;
END;

CREATE TABLE asset_tags (
  asset INTEGER NOT NULL REFERENCES assets (seq) ON DELETE CASCADE,
  fold TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (asset, fold)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_tags_by_fold ON asset_tags (fold, asset, tag);
CREATE TRIGGER asset_tags_added AFTER INSERT ON asset_tags BEGIN ${KIN} NEW.asset; END;
CREATE TRIGGER asset_tags_changed AFTER UPDATE ON asset_tags BEGIN ${KIN} NEW.asset; ${KIN} OLD.asset; END;
CREATE TRIGGER asset_tags_removed AFTER DELETE ON asset_tags BEGIN ${KIN} OLD.asset; END;

DROP INDEX assets_listed;
DROP INDEX assets_counted;
DROP INDEX assets_by_cost;
DROP INDEX assets_by_bytes;
DROP INDEX assets_by_seconds;
DROP INDEX assets_by_name;
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
`;
