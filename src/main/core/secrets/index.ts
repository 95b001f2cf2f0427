/** Finds and removes secrets in texts that must not contain them. Only the host's key store stores secrets. */
export {
  createScrubber,
  createSecretGuard,
  HIDDEN,
  MIN_GUARDED_LENGTH,
  scrubPlain,
  streamScrubber,
} from './scrubber.ts';
