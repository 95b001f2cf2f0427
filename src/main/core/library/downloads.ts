import fs from 'node:fs';
import { fail, type Result } from '../../../shared/result.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import {
  type AssetRow,
  expireAsset,
  markUnfetchable,
  postponeAsset,
  settleAsset,
  waitingAssets,
} from './assetTable.ts';
import { appendBody, partPath, type StoredFile, settleFile } from './files.ts';

/**
 * Brings results here: soonest-expiring first, a few at once, again and again through outages. A link that has ended makes the asset
 * `expired`; an address that is not for downloading (gs://) leaves it `remote`; everything else is tried again.
 */
export interface Downloads {
  /** There may be something to fetch, or a slot is free. */
  kick(): void;
  close(): Promise<void>;
}

export interface DownloadDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  dataDir: string;
  /** The client of the profile that made it; `null` when that profile is gone. */
  gatewayFor(profileId: string): Promise<Gateway | null>;
  atOnce(): number;
  /** An asset became local, expired or unfetchable; called after the commit. */
  onSettled(assetId: string, jobId: string | null): void;
  /** Runs in the transaction that makes an asset local. */
  whenLocal(db: WriteDb, asset: AssetRow, file: StoredFile): void;
}

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
const FAULT_PAUSE_MS = 5_000;

type Ending =
  | { type: 'local'; file: StoredFile }
  | { type: 'expired' | 'unfetchable' }
  | { type: 'again'; message: string };

export function createDownloads(deps: DownloadDeps): Downloads {
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  let cancelTimer: (() => void) | undefined;
  let faultUntil = 0;

  const kick = (): void => {
    if (stop.signal.aborted) return;
    cancelTimer?.();
    const now = deps.clock.now();
    const waiting = waitingAssets(deps.store.read).filter((asset) => !running.has(asset.id));
    const due = faultUntil > now ? [] : waiting.filter((asset) => (asset.next_at ?? 0) <= now);
    for (const asset of due.slice(0, Math.max(0, deps.atOnce() - running.size))) begin(asset);
    const later = waiting.map((asset) => Math.max(asset.next_at ?? 0, faultUntil)).filter((at) => at > now);
    if (later.length > 0) cancelTimer = deps.clock.after(Math.min(...later) - now, kick);
  };

  const begin = (asset: AssetRow): void => {
    const work = fetchOne(deps, asset, stop.signal)
      .then((ending) => conclude(asset, ending))
      .catch((error) => {
        // This machine's own fault, such as a full disk: it would meet every download, so all of them wait.
        deps.log.error(
          { asset: asset.id, error: String(error) },
          'a download could not be kept; it will be tried again',
        );
        faultUntil = deps.clock.now() + FAULT_PAUSE_MS;
      })
      .finally(() => {
        running.delete(asset.id);
        kick();
      });
    running.set(asset.id, work);
  };

  const conclude = (asset: AssetRow, ending: Ending): void => {
    if (stop.signal.aborted) return;
    if (ending.type === 'again') {
      const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(asset.tries, 10));
      deps.store.transaction((db) => postponeAsset(db, asset.id, deps.clock.now() + delay));
      deps.log.warn({ asset: asset.id, message: ending.message }, 'download will be tried again');
      return;
    }
    deps.store.transaction((db) => {
      if (ending.type === 'local') {
        settleAsset(db, asset.id, ending.file);
        deps.whenLocal(db, asset, ending.file);
      } else if (ending.type === 'expired') expireAsset(db, asset.id);
      else markUnfetchable(db, asset.id);
    });
    deps.onSettled(asset.id, asset.job_id);
  };

  return {
    kick,
    close: async () => {
      stop.abort();
      cancelTimer?.();
      await Promise.allSettled(running.values());
    },
  };
}

async function fetchOne(deps: DownloadDeps, asset: AssetRow, signal: AbortSignal): Promise<Ending> {
  const gateway = await deps.gatewayFor(asset.profile_id ?? '');
  if (!gateway || !asset.remote_uri) return { type: 'again', message: 'The profile that made it is gone.' };
  const part = partPath(deps.dataDir, asset.id);
  const from = fs.existsSync(part) ? fs.statSync(part).size : 0;
  const outcome = await gateway.fetchMedia(asset.remote_uri, { from, signal });
  if (outcome.type !== 'ok') return endingWithout(outcome.type, outcome.error.message);
  const { media } = outcome;
  const written = await appendBody(part, media.body, { from: media.from });
  if (!written.ok) return again(written);
  if (media.bytes !== undefined && written.data !== media.bytes) {
    // A part that is already too long is of another file; it is begun anew.
    if (written.data > media.bytes) fs.rmSync(part, { force: true });
    return { type: 'again', message: `${written.data} of ${media.bytes} bytes came.` };
  }
  fs.truncateSync(part, written.data);
  const settled = await settleFile(deps.dataDir, part);
  if (settled.ok) return { type: 'local', file: settled.data };
  if (settled.error.code === 'unsupported_media') fs.rmSync(part, { force: true });
  return again(settled);
}

function endingWithout(type: 'gone' | 'refused' | 'unreachable', message: string): Ending {
  if (type === 'gone') return { type: 'expired' };
  return type === 'refused' ? { type: 'unfetchable' } : { type: 'again', message };
}

const again = (fault: Result<unknown>): Ending => ({
  type: 'again',
  message: fault.ok ? '' : fault.error.message,
});

/** The refusal of bytes for an asset that is not on this disk. */
export const notHere = (state: string): Result<never> =>
  fail(
    'not_found',
    state === 'expired'
      ? 'Its link at the gateway has ended before it could be downloaded.'
      : 'It is not on this machine yet.',
  );
