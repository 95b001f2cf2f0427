/** A page that shows what a result may have cost at least learns when a settled price changes only that. */
export const assetCostLow = `
CREATE TRIGGER assets_low_cost_of_charge AFTER UPDATE OF charged_nano, charged_low_nano ON jobs
  WHEN NEW.charged_low_nano <> OLD.charged_low_nano OR NEW.charged_nano <> OLD.charged_nano BEGIN
  UPDATE assets SET revision = revision + 1 WHERE job_id = NEW.id AND cost_nano <> 0;
END;
`;
