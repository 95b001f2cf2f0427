/** Long enough for a consumer of the address to have read it. */
const READ_MS = 60_000;

/** Frees a blob's address, but not at once: a picture that just got it, or a file being saved from it, may not have started to read. */
export const revokeLater = (url: string): void => {
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
};
