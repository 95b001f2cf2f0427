import { fail, type Result } from '../../../shared/result.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import {
  type AssetRow,
  dueAssets,
  giveUpAsset,
  isAwaited,
  markStored,
  nextDueAt,
  postponeAsset,
  settleAsset,
} from './assetTable.ts';
import { type Ending, endingOf } from './endings.ts';
import type { StoredFile } from './files.ts';
import { createOutages } from './outages.ts';
import { cleanParts, forgetPart, partPath } from './parts.ts';
import { receive } from './receive.ts';

export interface DownloadDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  dataDir: string;
  /** The client of the profile that made it; `null` when that profile is gone. */
  gatewayFor(profileId: string): Promise<Gateway | null>;
  atOnce(): number;
  freeBytes(): number;
  /** Something that the user should know. */
  notice(level: 'info' | 'error', text: string): void;
  /** An asset became local or expired, or is known not to be for downloading; called after the commit. */
  onSettled(jobId: string | null): void;
  /** Runs in the transaction that makes an asset local. */
  whenLocal(db: WriteDb, asset: AssetRow, file: StoredFile): void;
}

/** After a fault of this machine: it would meet every download, so all of them wait. */
const FAULT_PAUSE_MS = 5_000;
/** A try that brings less than this in a while gives its place to another one. */
const SLOW_MS = 120_000;
const SLOW_BYTES = 64 * 1024;

/**
 * Brings results here: soonest-ending first, a few at once, again and again through outages. What becomes of a try is decided in
 * {@link endingOf}; here it is written down, and the next one is begun.
 */
export class Downloads {
  private readonly deps: DownloadDeps;
  private readonly running = new Map<string, Promise<void>>();
  private readonly outages = createOutages();
  private readonly room: ReturnType<typeof diskRoom>;
  private readonly stop = new AbortController();
  private cancelTimer: (() => void) | undefined;
  private pausedUntil = 0;

  constructor(deps: DownloadDeps) {
    this.deps = deps;
    this.room = diskRoom(deps);
    cleanParts(deps.dataDir, (name) => isAwaited(deps.store.read, name));
  }

  /** There may be something to fetch, or a slot is free. */
  kick(): void {
    if (this.stop.signal.aborted) return;
    this.cancelTimer?.();
    const now = this.deps.clock.now();
    if (this.pausedUntil <= now) this.beginDue(now);
    const { read } = this.deps.store;
    const next = this.pausedUntil > now ? this.pausedUntil : earliest(nextDueAt(read, now), this.outages.nextAt(now));
    if (next !== undefined) this.cancelTimer = this.deps.clock.after(next - now, () => this.kick());
  }

  /** The place of this address answers, or is to be tried at once. */
  hurry(uri: string): void {
    this.outages.forget(uri);
    this.kick();
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.cancelTimer?.();
    await Promise.allSettled(this.running.values());
  }

  /** One by one: the first try of a place that was gone holds back the others of it. */
  private beginDue(now: number): void {
    for (let free = this.deps.atOnce() - this.running.size; free > 0; free--) {
      const [busy, hosts] = [[...this.running.keys()], this.outages.held(now)];
      const [asset] = dueAssets(this.deps.store.read, { now, busy, hosts, limit: 1 });
      if (!asset) return;
      this.begin(asset);
    }
  }

  private begin(asset: AssetRow): void {
    this.outages.began(asset.remote_uri ?? '');
    // Bytes come, so its place is back: the others of it need not wait for the end of a long clip.
    const work = tryOnce(this.deps, asset, this.stop.signal, () => this.hurry(asset.remote_uri ?? ''))
      .then((ending) => this.conclude(asset, ending))
      .catch((error) => {
        // This machine's own fault, such as a database that cannot be written: what has come is kept, with its note.
        this.deps.log.error({ asset: asset.id, error: String(error) }, 'a download could not be kept');
        this.outages.forget(asset.remote_uri ?? '');
        this.pausedUntil = this.deps.clock.now() + FAULT_PAUSE_MS;
      })
      .finally(() => {
        this.running.delete(asset.id);
        this.kick();
      });
    this.running.set(asset.id, work);
  }

  private conclude(asset: AssetRow, ending: Ending): void {
    if (this.stop.signal.aborted) return;
    const now = this.deps.clock.now();
    if (ending.type === 'later' && ending.outage) this.outages.failed(asset.remote_uri ?? '', now, ending.waitMs);
    else this.outages.forget(asset.remote_uri ?? '');
    if (ending.type === 'later') return this.postpone(asset, ending);
    if (ending.type === 'full') {
      this.room.isMissing();
      this.pausedUntil = now + FAULT_PAUSE_MS;
      return this.postpone(asset, { ...ending, message: 'The disk is full.', tried: false, struck: false });
    }
    this.settle(asset, ending);
    if (ending.type === 'local') this.room.wasThere();
    else this.deps.log.warn({ asset: asset.id, message: ending.message }, 'a result will not be downloaded');
    this.deps.onSettled(asset.job_id);
  }

  /** Only when its row is written may the note go that tells of the file. */
  private settle(asset: AssetRow, ending: Exclude<Ending, { type: 'later' | 'full' }>): void {
    this.deps.store.transaction((db) => {
      if (ending.type === 'local') {
        settleAsset(db, asset.id, ending.file);
        this.deps.whenLocal(db, asset, ending.file);
      } else if (ending.type === 'stored') markStored(db, asset.id, ending.message);
      else giveUpAsset(db, asset.id, ending.message, ending.type === 'refused' ? ending.kind : null);
    });
    forgetPart(partPath(this.deps.dataDir, asset.id));
  }

  private postpone({ id }: AssetRow, why: Omit<Extract<Ending, { type: 'later' }>, 'type' | 'outage'>): void {
    const { message: fault, waitMs, tried, struck } = why;
    const nextAt = this.deps.clock.now() + waitMs;
    this.deps.store.transaction((db) => postponeAsset(db, id, { nextAt, fault, tried, struck }));
    this.deps.log.warn({ asset: id, message: fault }, 'a download will be tried again');
  }
}

const earliest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** Says once that the disk is full, and once that there is room again. */
function diskRoom({ notice }: Pick<DownloadDeps, 'notice'>) {
  let said = false;
  return {
    isMissing(): void {
      if (!said) {
        notice(
          'error',
          'The disk is full. Results wait at the gateway: make room before their links end; it goes on by itself.',
        );
      }
      said = true;
    },
    wasThere(): void {
      if (said) notice('info', 'There is room again. Results are being downloaded.');
      said = false;
    },
  };
}

async function tryOnce(
  deps: DownloadDeps,
  asset: AssetRow,
  stop: AbortSignal,
  onFirstBytes: () => void,
): Promise<Ending> {
  const about = { asset, now: deps.clock.now() };
  const gateway = await deps.gatewayFor(asset.profile_id ?? '');
  if (!gateway)
    return endingOf(about, { type: 'broken', message: 'The profile that made it is gone.', further: false });
  const pace = paceOf(deps.clock, onFirstBytes);
  try {
    const received = await receive(
      { id: asset.id, uri: asset.remote_uri ?? '', mime: asset.mime, strikes: asset.strikes },
      {
        dataDir: deps.dataDir,
        gateway,
        signal: AbortSignal.any([stop, pace.signal]),
        freeBytes: deps.freeBytes,
        onBytes: pace.came,
      },
    );
    return endingOf({ ...about, now: deps.clock.now() }, received);
  } finally {
    pace.over();
  }
}

/** Ends a download that drips: whoever waits behind it may have less time. */
function paceOf(clock: Clock, onFirstBytes: () => void) {
  const tooSlow = new AbortController();
  let bytes = 0;
  let counted = 0;
  let cancel = (): void => undefined;
  const watch = (): void => {
    cancel = clock.after(SLOW_MS, () => {
      if (bytes - counted < SLOW_BYTES) return tooSlow.abort();
      counted = bytes;
      watch();
    });
  };
  return {
    signal: tooSlow.signal,
    came(length: number): void {
      const first = bytes === 0;
      bytes = length;
      if (!first) return;
      watch();
      onFirstBytes();
    },
    over: () => cancel(),
  };
}

/** The refusal of bytes for an asset that is not on this disk. */
export const notHere = (state: string): Result<never> =>
  fail(
    'not_found',
    state === 'expired'
      ? 'Its link at the gateway has ended before it could be downloaded.'
      : 'It is not on this machine yet.',
  );
