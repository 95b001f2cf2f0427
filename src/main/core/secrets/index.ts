/** Where secrets must not be: what finds them in text and takes them out. They are kept by the host's key store alone. */
export { createSecretGuard, MIN_GUARDED_LENGTH } from './guard.ts';
export { createScrubber } from './scrubber.ts';
export { scrubPlain, streamScrubber } from './stream.ts';
