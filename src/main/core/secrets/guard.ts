/** A shorter key is a word that a prompt may contain: local services accept `ollama` or `none`. */
export const MIN_GUARDED_LENGTH = 12;

export interface SecretGuard {
  hide(secret: string): void;
  /** The path of the first text in `input` that contains a known secret: `messages.0.content`; undefined if there is none. */
  heldIn(input: unknown): string | undefined;
}

/**
 * Knows every key that was read or typed in this run, so that none of them arrives in another field and is written to a file. `alsoHide`
 * receives each key, for the log.
 */
export function createSecretGuard(alsoHide: (secret: string) => void = () => undefined): SecretGuard {
  const secrets = new Set<string>();
  const holds = (text: string) => [...secrets].some((secret) => text.includes(secret));
  return {
    hide(secret) {
      alsoHide(secret);
      if (secret.length >= MIN_GUARDED_LENGTH) secrets.add(secret);
    },
    heldIn: (input) => (secrets.size === 0 ? undefined : pathOf(input, holds, '')),
  };
}

function pathOf(node: unknown, holds: (text: string) => boolean, path: string): string | undefined {
  if (typeof node === 'string') return holds(node) ? path : undefined;
  if (typeof node !== 'object' || node === null) return undefined;
  for (const [name, value] of Object.entries(node)) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (holds(name)) return path === '' ? 'a field name' : path;
    const found = pathOf(value, holds, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
