import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface WorkerEntry {
  /** `import.meta.url` of the calling module. */
  from: string;
  /** The source file beside that module, and its bundled entry. */
  source: string;
  bundled: string;
}

/** The source file under plain Node; next to the entry points (or one folder above a shared chunk) once bundled. */
export function urlOf({ from, source, bundled }: WorkerEntry): URL {
  if (from.endsWith('.ts')) return new URL(source, from);
  const beside = new URL(`./${bundled}`, from);
  return existsSync(fileURLToPath(beside)) ? beside : new URL(`../${bundled}`, from);
}
