/** Long enough for what has been given the address to have read it. */
const READ_MS = 60_000;

/**
 * Gives back the memory of a blob's address. Not at once: a picture that was just given it, or a file that is being saved from it, may
 * not have begun to read, and would find nothing.
 */
export const revokeLater = (url: string): void => {
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
};
