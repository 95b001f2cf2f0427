/** Finds secrets in texts that must not contain them, and removes them. Only the host's key store stores secrets. */
export { createSecretGuard, MIN_GUARDED_LENGTH } from './guard.ts';
export { createScrubber, HIDDEN } from './scrubber.ts';
export { scrubPlain, streamScrubber } from './stream.ts';
