const OF_JOB = `SELECT json_extract(input.value, '$.assetId'), job.id, json_extract(input.value, '$.field')
  FROM jobs job, json_each(job.inputs) input`;
const IS_ASSET = `json_extract(input.value, '$.assetId') IS NOT NULL`;

/** What the jobs were made from, by asset: kept by triggers, so that what was made from an asset is found without reading the jobs. */
export const jobInputs = `
CREATE TABLE job_inputs (
  asset_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (asset_id, job_id, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_inputs_by_job ON job_inputs (job_id);
INSERT OR IGNORE INTO job_inputs ${OF_JOB} WHERE job.inputs IS NOT NULL AND ${IS_ASSET};

CREATE TRIGGER job_inputs_added AFTER INSERT ON jobs WHEN NEW.inputs IS NOT NULL BEGIN
  INSERT OR IGNORE INTO job_inputs ${OF_JOB} WHERE job.id = NEW.id AND ${IS_ASSET};
END;
CREATE TRIGGER job_inputs_saved AFTER UPDATE OF inputs ON jobs BEGIN
  DELETE FROM job_inputs WHERE job_id = NEW.id;
  INSERT OR IGNORE INTO job_inputs ${OF_JOB} WHERE job.id = NEW.id AND job.inputs IS NOT NULL AND ${IS_ASSET};
END;
`;
