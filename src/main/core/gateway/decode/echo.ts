/**
 * What our own request said. A service may repeat the request in its answer (the picture it was given, the hook, the mask): such an
 * address is never a result.
 */
export interface Echo {
  has(uri: string): boolean;
  /** The addresses worth keeping for later polls. */
  addresses: string[];
}

const LONGEST_KEPT = 2_048;

export function echoOf(sent: readonly (string | undefined)[]): Echo {
  const all = new Set<string>();
  for (const text of sent) {
    if (text === undefined || text === '') continue;
    all.add(text.trim());
    if (text.length <= 100_000 && !text.startsWith('data:')) {
      for (const address of text.match(/\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'`)\]]+/gi) ?? []) all.add(bare(address));
    }
  }
  return {
    has: (uri) => all.has(uri.trim()) || all.has(bare(uri)),
    addresses: [...all].filter((text) => text.length <= LONGEST_KEPT && /^[a-z][a-z0-9+.-]*:\/\//i.test(text)),
  };
}

const bare = (address: string): string => address.trim().replace(/[.,;:!?]+$/, '');
