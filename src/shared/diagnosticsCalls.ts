import { nothing, query } from './call.ts';

export const diagnosticsCalls = {
  /**
   * What whoever helps needs to know of this studio, as text to be read before it is copied: versions, counts, settings of the gateways,
   * the last lines of the log. No key, token, header value, prompt or user-info, and no query of an address.
   */
  'diagnostics.read': query<{ text: string }>()(nothing),
} as const;
