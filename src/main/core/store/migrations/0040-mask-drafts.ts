/** Masks that are being painted, newest turn last. One of a picture that is deleted from the bin goes with it. */
export const maskDrafts = `
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
