import { z } from 'zod';
import type { KeyStore, SettingsStore } from '../ports.ts';

const NAME = 'secretsToForget';
const storedNames = z.array(z.string()).catch([]);

/**
 * The names of secrets whose profile is being removed, in the settings file from before it goes until they are gone: the key store names
 * none of what it holds, and after a kill in between nothing else would know of them.
 */
export class LeftSecrets {
  private readonly deps: { settings: SettingsStore; keys: Pick<KeyStore, 'forget'> };

  constructor(deps: { settings: SettingsStore; keys: Pick<KeyStore, 'forget'> }) {
    this.deps = deps;
  }

  note(names: readonly string[]): void {
    this.write([...new Set([...this.read(), ...names])]);
  }

  gone(names: readonly string[]): void {
    const noted = this.read();
    const left = noted.filter((name) => !names.includes(name));
    try {
      if (left.length < noted.length) this.write(left);
    } catch {
      // The next start forgets them once more, which changes nothing.
    }
  }

  /** At start: those of no profile. Rejects where the key store does not let one go; the next start tries it again. */
  async forget(isOfProfile: (name: string) => boolean): Promise<void> {
    const names = this.read();
    for (const name of names) if (!isOfProfile(name)) await this.deps.keys.forget(name);
    this.gone(names);
  }

  private read(): string[] {
    return storedNames.parse(this.deps.settings.read(NAME) ?? []);
  }

  private write(names: readonly string[]): void {
    this.deps.settings.write(NAME, names);
  }
}
