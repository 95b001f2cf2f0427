/** A clip shows its last frame: it is newer once that was deleted. */
export const deletedFrames = `
CREATE TRIGGER assets_frame_deleted AFTER UPDATE OF emptied ON assets
  WHEN NEW.role = 'frame' AND NEW.emptied <> OLD.emptied BEGIN
  UPDATE assets SET revision = revision + 1 WHERE id = NEW.parent_id;
END;
`;
