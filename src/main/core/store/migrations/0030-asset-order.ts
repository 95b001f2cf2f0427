/** A result of the job; what else belongs to it (frames, thumbnails) cost nothing. */
const IS_RESULT = `role IN ('output', 'grid')`;

/** Its equal share of what the job was charged; what cannot be divided is added to the first ones, so that the shares are the charge. */
const share = (job: string, charged: string): string =>
  `${charged} / (SELECT count(*) FROM assets o WHERE o.job_id = ${job} AND o.${IS_RESULT})
    + (coalesce(output_index, 0) < ${charged} % (SELECT count(*) FROM assets o WHERE o.job_id = ${job} AND o.${IS_RESULT}))`;

const chargedOf = (job: string): string => `(SELECT charged_nano FROM jobs WHERE id = ${job})`;

/**
 * The library in other orders than that of making. What a result cost stands at the result itself, kept by triggers, so that the most
 * expensive are found without reading their jobs.
 */
export const assetOrder = `
ALTER TABLE assets ADD COLUMN cost_nano INTEGER NOT NULL DEFAULT 0;
UPDATE assets SET cost_nano = ${share('assets.job_id', chargedOf('assets.job_id'))}
  WHERE job_id IN (SELECT id FROM jobs WHERE charged_nano <> 0) AND ${IS_RESULT};

CREATE TRIGGER assets_cost_of_charge AFTER UPDATE OF charged_nano ON jobs WHEN NEW.charged_nano <> OLD.charged_nano BEGIN
  UPDATE assets SET cost_nano = ${share('NEW.id', 'NEW.charged_nano')} WHERE job_id = NEW.id AND ${IS_RESULT};
END;
CREATE TRIGGER assets_cost_of_result AFTER INSERT ON assets
  WHEN NEW.${IS_RESULT} AND ${chargedOf('NEW.job_id')} <> 0 BEGIN
  UPDATE assets SET cost_nano = ${share('NEW.job_id', chargedOf('NEW.job_id'))} WHERE job_id = NEW.job_id AND ${IS_RESULT};
END;

CREATE INDEX assets_by_cost ON assets (cost_nano, seq) WHERE role <> 'thumbnail';
CREATE INDEX assets_by_bytes ON assets (bytes, seq) WHERE role <> 'thumbnail';
CREATE INDEX assets_by_seconds ON assets (coalesce(seconds, 0), seq) WHERE role <> 'thumbnail';
CREATE INDEX assets_by_name ON assets (name COLLATE NOCASE, seq) WHERE role <> 'thumbnail';
`;
