/** Finds secrets in texts that must not contain them, and removes them. Only the host's key store stores secrets. */
export {
  createScrubber,
  createSecretGuard,
  HIDDEN,
  MIN_GUARDED_LENGTH,
  scrubPlain,
  streamScrubber,
} from './scrubber.ts';
