import type { ReadDb } from '../store/index.ts';
import type { AssetRow } from './assetColumns.ts';
import { dueDownloads } from './assetTable.ts';
import { originOf } from './hostBackoff.ts';

/** A download that has its slot for this long does not keep what else is due waiting, however many of its kind there are. */
export const LONG_MS = 120_000;

export interface RunningDownload {
  asset: AssetRow;
  /** It has its slot for {@link LONG_MS}: said by the timer that wakes the queue then, as no clock is read twice to the same millisecond. */
  isLong: boolean;
  work: Promise<void>;
}

interface Slots {
  running: ReadonlyMap<string, RunningDownload>;
  atOnce: number;
  heldOrigins: readonly string[];
  now: number;
}

/**
 * What is to be started next. Where all slots are taken for long, a profile without a download gets one beside them, and so does an origin
 * without one: a place that sends slowly, for hours or on purpose, would keep its slots until the links of others end. A gateway may name
 * as many origins as it likes, so there are never more beside the slots than the profiles that download, and one.
 */
export function nextDownload(db: ReadDb, { running, atOnce, heldOrigins, now }: Slots): AssetRow | undefined {
  const next = (more: { alsoHeld?: readonly string[]; heldProfiles?: readonly string[] } = {}) =>
    firstDue(db, { now, running: [...running.keys()], ...more }, [...heldOrigins, ...(more.alsoHeld ?? [])]);
  if (running.size < atOnce) return next();
  const all = [...running.values()];
  if (all.filter(({ isLong }) => isLong).length < atOnce) return undefined;
  const heldProfiles = [...new Set(all.map(({ asset }) => asset.profile_id ?? ''))];
  const ofOthers = next({ heldProfiles });
  if (ofOthers || running.size > atOnce + heldProfiles.length) return ofOthers;
  return next({ alsoHeld: all.map(({ asset }) => originOf(asset.remote_uri ?? '')) });
}

/** The statement knows an origin only as {@link originOf} spells it; a link may have a port, a user or capitals before its path. */
function firstDue(
  db: ReadDb,
  held: { now: number; running: readonly string[]; heldProfiles?: readonly string[] },
  heldOrigins: readonly string[],
): AssetRow | undefined {
  for (let limit = 1; ; limit *= 16) {
    const due = dueDownloads(db, { ...held, heldOrigins, limit });
    const first = due.find(({ remote_uri: uri }) => !heldOrigins.includes(originOf(uri ?? '')));
    if (first || due.length < limit) return first;
  }
}
