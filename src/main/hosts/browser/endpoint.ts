import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../core/ports.ts';
import { portsToTry } from '../../core/tcpPorts.ts';
import { readRegularFile } from '../common/regularFile.ts';
import { type AccessSecrets, newSecret } from './access.ts';

/** One for each host: an open page looks for the browser host only. */
export type EndpointFile = 'browser-host.json' | 'desktop-host.json';
const secret = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const fileSchema = z.object({ port: z.int().min(1).max(65_535), token: secret, originKey: secret });

/** The address of a data folder's server, kept over restarts so that open pages keep working. */
export interface Endpoint extends AccessSecrets {
  port: number;
}

/** The endpoint of the last run; undefined if it cannot be read. Throws one sentence if its path is not a file. */
export function lastEndpoint(
  dataDir: string,
  log: Pick<Logger, 'warn'>,
  file: EndpointFile = 'browser-host.json',
): Endpoint | undefined {
  const text = readRegularFile(join(dataDir, file));
  if (text === undefined) return undefined;
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    log.warn({ file }, 'the address of the last run cannot be read; pages that are still open must be opened again');
    return undefined;
  }
}

/**
 * The endpoints to try in turn. On another port, and later on the old one, page keys are new: another program may have received our pages'
 * requests there. The token stays unless it is renewed, which invalidates everything issued before.
 */
export function candidateEndpoints(wanted: number, known: Endpoint | undefined, renewsToken = false): Endpoint[] {
  const last = known && renewsToken ? { port: known.port, token: newSecret(), originKey: newSecret() } : known;
  const fresh = (port: number): Endpoint => ({ port, token: last?.token ?? newSecret(), originKey: newSecret() });
  if (wanted !== 0) return [wanted === last?.port ? last : fresh(wanted)];
  return [...(last ? [last] : []), ...portsToTry(0).map(fresh)];
}

/** Readable by its owner only. On a full disk only the next start's address is affected. */
export function saveEndpoint(
  dataDir: string,
  endpoint: Endpoint,
  log: Logger,
  file: EndpointFile = 'browser-host.json',
): void {
  const path = join(dataDir, file);
  const part = `${path}.part`;
  try {
    rmSync(part, { force: true });
    writeFileSync(part, JSON.stringify(endpoint), { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    log.warn({ error: String(error) }, 'the address of this run cannot be kept; the next one has another');
  }
}
