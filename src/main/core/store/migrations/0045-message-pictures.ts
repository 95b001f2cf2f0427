/** The pictures that a message of the user shows to the model, as a list of ids. */
export const messagePictures = `
ALTER TABLE messages ADD COLUMN pictures TEXT;
CREATE INDEX messages_with_pictures ON messages (conversation_id) WHERE pictures IS NOT NULL;
`;
