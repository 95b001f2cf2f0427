import type { ReadDb } from '../store/index.ts';
import type { AssetRow } from './assetColumns.ts';
import { dueDownloads } from './assetTable.ts';
import { originOf } from './hostBackoff.ts';

/** A download that has its slot for this long does not keep what else is due waiting, however many of its kind there are. */
export const LONG_MS = 120_000;

export interface RunningDownload {
  asset: AssetRow;
  /** When it began. */
  since: number;
  work: Promise<void>;
}

interface Slots {
  running: ReadonlyMap<string, RunningDownload>;
  atOnce: number;
  heldOrigins: readonly string[];
  /** `now` is by the clock, `time` is that of {@link RunningDownload.since}. */
  now: number;
  time: number;
}

/**
 * What is to be started next. Where all slots are taken for long, a profile without a download gets one beside them, and so does another
 * origin where all are with one: a place that sends slowly, for hours or on purpose, would keep its slots until the links of others end.
 */
export function nextDownload(db: ReadDb, { running, atOnce, heldOrigins, now, time }: Slots): AssetRow | undefined {
  const next = (more: { heldOrigins?: readonly string[]; heldProfiles?: readonly string[] } = {}) =>
    dueDownloads(db, { now, running: [...running.keys()], heldOrigins, limit: 1, ...more })[0];
  if (running.size < atOnce) return next();
  const all = [...running.values()];
  if (all.filter(({ since }) => time - since >= LONG_MS).length < atOnce) return undefined;
  const heldProfiles = all.map(({ asset }) => asset.profile_id ?? '');
  const origins = new Set(all.map(({ asset }) => originOf(asset.remote_uri ?? '')));
  return (
    next({ heldProfiles }) ?? (origins.size === 1 ? next({ heldOrigins: [...heldOrigins, ...origins] }) : undefined)
  );
}
