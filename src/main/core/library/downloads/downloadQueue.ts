import { fail, type Result } from '../../../../shared/contract/result.ts';
import { WAITS_FOR_KEY } from '../../../../shared/gateway/profile.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { monotonicTime } from '../../clockWatch.ts';
import type { WriteDb } from '../../store/index.ts';
import type { AssetRow } from '../assetColumns.ts';
import {
  assetRowsOfJob,
  giveUpDownload,
  isDownloadPending,
  makeLocal,
  nextDownloadAt,
  postponeDownload,
  renewLink,
  setRemoteOnly,
  setStillLocal,
} from '../assetTable.ts';
import { arrivedLate, DELETED } from '../bin/binTable.ts';
import { type ContentInUse, type StoredFile, sizeOf } from '../content/contentStore.ts';
import type { LibraryDeps } from '../content/diskSpace.ts';
import { type Lease, LibraryAway } from '../content/location.ts';
import { faultCode } from '../content/writeStream.ts';
import { recordFetched, recordGone } from '../recordEvidence.ts';
import { type DownloadResult, download } from './download.ts';
import {
  type Attempt,
  type DownloadDecision,
  decideDownload,
  decideRenewal,
  isDeniedAccess,
  isLinkGood,
  isRenewable,
  MAX_RENEWALS,
} from './downloadDecision.ts';
import {
  createDiskFullNotices,
  createStallGuard,
  HostBackoff,
  LONG_MS,
  nextDownload,
  type RunningDownload,
} from './downloadSlots.ts';
import { settleLate, settleLeft } from './interruptedDownloads.ts';
import { forgetPartial } from './partialDownload.ts';

export interface DownloadQueueDeps
  extends Pick<LibraryDeps, 'store' | 'clock' | 'log' | 'location' | 'gatewayFor' | 'lacksKey' | 'askTask'> {
  inUse: Pick<ContentInUse, 'inTurn'>;
  atOnce(): number;
  freeBytes(): number;
  /** Why no download may begin now: the library is not there, or the disk is below its floor. */
  waits(): Promise<string | undefined>;
  /** Shows the user a notice. */
  notify(level: 'info' | 'error', text: string): void;
  /** Called after the commit that makes an asset local or expired, or marks it as not downloadable. */
  onSettled(jobId: string | null): void;
  /** Runs in the transaction that makes an asset local. */
  onLocal(db: WriteDb, asset: AssetRow, file: StoredFile): void;
  /** Runs in the transaction that finds the file of an asset that was deleted meanwhile. */
  onLate(db: WriteDb): void;
}

/** All downloads pause while nothing can be stored or recorded, because each would fail in the same way. */
const LOCAL_FAULT_PAUSE_MS = 5_000;
/** The delay before a result that this machine could not store is downloaded again. */
const LOCAL_FAULT_RETRY_MS = 15_000;

/**
 * Downloads results: links that expire first come first, a few at a time, with retries through outages. {@link decideDownload} decides the
 * next step after an attempt; this class records it and starts the next download.
 */
export class DownloadQueue {
  private readonly deps: DownloadQueueDeps;
  private readonly running = new Map<string, RunningDownload>();
  private readonly hostBackoff = new HostBackoff();
  private readonly diskFullNotices: ReturnType<typeof createDiskFullNotices>;
  private readonly stop = new AbortController();
  /** The number of new links for a result since one last worked. A start counts from 0; abandoned results stay abandoned. */
  private readonly renewals = new Map<string, number>();
  /** How often in a row the address of a result has refused. A start counts from 0. */
  private readonly refusals = new Map<string, number>();
  private cancelTimer: (() => void) | undefined;
  private pausedUntil = -Infinity;
  /** The clock for pauses in memory; it never goes back. Times in rows use the normal clock. */
  private readonly time: () => number;
  /** Resolves once leftovers of a kill are settled; no download begins before. */
  readonly settled: Promise<void>;
  /** Set by a wake during another one: then it looks for due downloads once more. */
  private isWoken = false;
  private waking: Promise<void>;

  constructor(deps: DownloadQueueDeps) {
    this.deps = deps;
    this.time = monotonicTime(deps.clock);
    this.diskFullNotices = createDiskFullNotices(deps);
    this.settled = settleLeft(deps);
    this.waking = this.settled;
  }

  /** A deleted asset is not downloaded any more; a running download ends by itself. */
  async forget(id: string): Promise<void> {
    const { location } = this.deps;
    // On a missing disk, a start removes the partial file later.
    if (this.running.has(id) || (await location.look()) !== undefined) return;
    await settleLate(this.deps, id);
    await this.sweep(location.home, id);
  }

  /** Partial files that cannot be deleted now are removed by a start; the download's outcome does not change. */
  private async sweep(home: string, id: string): Promise<void> {
    try {
      await forgetPartial(home, id);
    } catch (error) {
      this.deps.log.warn({ asset: id, error: String(error) }, 'what is left of a download could not be removed');
    }
  }

  /** Starts due downloads: there may be something new to download, or a free slot. */
  wake(): void {
    if (this.isWoken || this.stop.signal.aborted) return;
    this.isWoken = true;
    this.waking = this.waking.then(() => this.startWoken());
  }

  private async startWoken(): Promise<void> {
    this.cancelTimer?.();
    this.isWoken = false;
    try {
      if (this.pausedUntil <= this.time()) await this.startDue();
      if (this.stop.signal.aborted) return;
      const now = this.time();
      const waitMs = this.pausedUntil > now ? this.pausedUntil - now : this.nextDueMs(now);
      if (waitMs !== undefined) this.cancelTimer = this.deps.clock.after(waitMs, () => this.wake());
    } catch (error) {
      this.deps.log.error({ error: String(error) }, 'downloads that are due could not be started');
      this.cancelTimer = this.deps.clock.after(LOCAL_FAULT_PAUSE_MS, () => this.wake());
    }
  }

  private nextDueMs(time: number): number | undefined {
    const now = this.deps.clock.now();
    const [due, host] = [nextDownloadAt(this.deps.store.read, now), this.hostBackoff.nextAttemptAt(time)];
    return earliest(due && due - now, host && host - time);
  }

  /** The user wants this result: all its attempts are allowed again, and those of its host are made now. */
  wantNow({ id, remote_uri: uri }: AssetRow): void {
    this.forgetCounts(id);
    this.retryHost(uri ?? '');
  }

  private forgetCounts(id: string): void {
    this.renewals.delete(id);
    this.refusals.delete(id);
  }

  /** Retries all downloads from this host now, because it answers again. */
  private retryHost(uri: string): void {
    this.hostBackoff.clear(uri);
    this.wake();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.waking;
    this.cancelTimer?.();
    await Promise.allSettled([...this.running.values()].map(({ work }) => work));
  }

  /** Starts downloads one at a time, since the first attempt at a host that failed holds back the others. */
  private async startDue(): Promise<void> {
    if (this.deps.location.isBringing) return;
    if ((await this.deps.waits()) !== undefined) {
      this.pausedUntil = this.time() + LOCAL_FAULT_PAUSE_MS;
      return;
    }
    while (!this.deps.location.isBringing && !this.stop.signal.aborted) {
      const waitingOrigins = this.hostBackoff.waitingOrigins(this.time());
      const slots = { running: this.running, atOnce: this.deps.atOnce(), waitingOrigins, now: this.deps.clock.now() };
      const asset = nextDownload(this.deps.store.read, slots);
      if (!asset) return;
      this.start(asset);
    }
  }

  private start(asset: AssetRow): void {
    this.hostBackoff.attemptStarted(asset.remote_uri ?? '');
    // Once bytes arrive the host is back: its other downloads need not wait for the end of a long clip.
    const lease = this.deps.location.lease(asset.id);
    const onFirstBytes = () => this.retryHost(asset.remote_uri ?? '');
    const cancelLong = this.deps.clock.after(LONG_MS, () => this.becameLong(asset.id));
    const options = { stop: this.stop.signal, onFirstBytes, refusals: this.refusals.get(asset.id) };
    const work = attemptDownload(this.deps, asset, lease, options)
      .then((decision) => this.orRenewed(asset, decision))
      .then((decision) => this.apply(asset, decision, lease.home))
      .catch((error) => this.couldNotBeSaved(asset, error, lease.home))
      .finally(() => {
        cancelLong();
        lease.end();
        this.running.delete(asset.id);
        this.wake();
      });
    this.running.set(asset.id, { asset, isLong: false, work });
  }

  private becameLong(id: string): void {
    const running = this.running.get(id);
    if (running) running.isLong = true;
    this.wake();
  }

  /** Asks the task once more before a result is given up, or if its link has expired. */
  private async orRenewed(asset: AssetRow, decision: DownloadDecision): Promise<DownloadDecision> {
    const { id, job_id: jobId } = asset;
    const renewals = this.renewals.get(id) ?? 0;
    if (decision.type !== 'abandoned' && !(decision.type === 'retry' && decision.asksTask)) return decision;
    const isAsked = isRenewable(asset) && renewals < MAX_RENEWALS;
    if (!isAsked || jobId === null || this.stop.signal.aborted) return decision;
    const outcome = await this.deps.askTask?.(jobId);
    const results = assetRowsOfJob(this.deps.store.read, jobId).length;
    const decided = decideRenewal({ asset, now: this.deps.clock.now() }, decision, outcome, results);
    if (decided.type === 'renewed') this.renewals.set(id, renewals + 1);
    return decided;
  }

  private async renew(
    { id }: AssetRow,
    link: Extract<DownloadDecision, { type: 'renewed' }>,
    home: string,
  ): Promise<void> {
    const { uri, expiresAt } = link;
    this.refusals.delete(id);
    if (!this.deps.store.transaction((db) => renewLink(db, id, { uri, expiresAt }))) return this.sweep(home, id);
    this.deps.log.info({ asset: id }, 'the task of a result has named another link');
  }

  /** A failure of this machine: received bytes and metadata are kept. If the database cannot be written either, all downloads wait. */
  private async couldNotBeSaved(asset: AssetRow, error: unknown, home: string): Promise<void> {
    this.deps.log.error({ asset: asset.id, error: String(error) }, 'a download could not be kept');
    this.hostBackoff.clear(asset.remote_uri ?? '');
    this.forgetCounts(asset.id);
    const message = t`The file could not be saved on this computer (${faultCode(error)}).`;
    const why = { message, waitMs: LOCAL_FAULT_RETRY_MS, countsAsAttempt: false, countsAsBadResponse: false };
    try {
      await this.postpone(asset, why, home);
    } catch {
      this.pausedUntil = this.time() + LOCAL_FAULT_PAUSE_MS;
    }
  }

  private async apply(asset: AssetRow, decision: DownloadDecision, home: string): Promise<void> {
    if (this.stop.signal.aborted) return;
    const now = this.time();
    if (isLinkGood(decision)) this.forgetCounts(asset.id);
    if (decision.type === 'retry') this.countRefusals(asset.id, decision);
    if (decision.type === 'retry' && decision.hostUnreachable)
      this.hostBackoff.attemptFailed(asset.remote_uri ?? '', now, decision.waitMs);
    else this.hostBackoff.clear(asset.remote_uri ?? '');
    if (decision.type === 'retry') return this.postpone(asset, decision, home);
    if (decision.type === 'renewed') return this.renew(asset, decision, home);
    if (decision.type === 'diskFull') {
      this.diskFullNotices.diskIsFull();
      this.pausedUntil = now + LOCAL_FAULT_PAUSE_MS;
      const why = { message: t`The disk is full.`, countsAsAttempt: false, countsAsBadResponse: false };
      return this.postpone(asset, { ...decision, ...why }, home);
    }
    this.forgetCounts(asset.id);
    await this.recordOutcome(asset, decision, home);
    if (decision.type === 'local') this.diskFullNotices.diskHasSpace();
    else this.deps.log.warn({ asset: asset.id, message: decision.message }, 'a result will not be downloaded');
    this.deps.onSettled(asset.job_id);
  }

  private countRefusals(id: string, decision: Extract<DownloadDecision, { type: 'retry' }>): void {
    if (decision.countsAsRefusal) this.refusals.set(id, (this.refusals.get(id) ?? 0) + 1);
    else if (decision.countsAsBadResponse) this.refusals.delete(id);
  }

  /** The metadata that knows of the complete file is deleted only after the asset's row is written. */
  private async recordOutcome(
    asset: AssetRow,
    decision: Exclude<DownloadDecision, { type: 'retry' | 'diskFull' | 'renewed' }>,
    home: string,
  ): Promise<void> {
    await this.deps.inUse.inTurn(async () => {
      const hasFile = decision.type !== 'local' && (await this.hasFile(asset));
      this.deps.store.transaction((db) => {
        if (decision.type === 'local') this.recordFile(db, asset, decision.file);
        else if (hasFile) setStillLocal(db, asset.id, t`The file could not be fetched again: ${decision.message}`);
        else if (decision.type === 'remoteOnly') setRemoteOnly(db, asset.id, decision.message);
        else {
          const refusal = decision.type === 'refused' ? decision.kind : null;
          giveUpDownload(db, asset.id, decision.message, refusal);
          recordGone(db, asset, refusal ?? undefined);
        }
      });
    });
    await this.sweep(home, asset.id);
  }

  /** Whether the asset still has a file: it was downloaded again because that file is damaged. */
  private async hasFile(row: AssetRow): Promise<boolean> {
    return row.sha256 !== '' && (await sizeOf(this.deps.location.pathOf(row))) !== undefined;
  }

  private recordFile(db: WriteDb, asset: AssetRow, file: StoredFile): void {
    if (makeLocal(db, asset.id, file)) {
      this.deps.onLocal(db, asset, file);
      recordFetched(db, asset, file);
    } else if (arrivedLate(db, asset.id, file)) this.deps.onLate(db);
  }

  private async postpone(
    { id }: AssetRow,
    why: Omit<Extract<DownloadDecision, { type: 'retry' }>, 'type' | 'hostUnreachable'>,
    home: string,
  ): Promise<void> {
    const { message: fault, waitMs, countsAsAttempt, countsAsBadResponse } = why;
    const nextAt = this.deps.clock.now() + waitMs;
    this.deps.store.transaction((db) =>
      postponeDownload(db, id, { nextAt, fault, countsAsAttempt, countsAsBadResponse }),
    );
    if (!isDownloadPending(this.deps.store.read, id)) await this.sweep(home, id);
    this.deps.log.warn({ asset: id, message: fault }, 'a download will be tried again');
  }
}

const earliest = (...times: (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

async function attemptDownload(
  deps: DownloadQueueDeps,
  asset: AssetRow,
  lease: Lease,
  { stop, onFirstBytes, refusals }: { stop: AbortSignal; onFirstBytes: () => void; refusals: number | undefined },
): Promise<DownloadDecision> {
  const away = await deps.location.look();
  if (away !== undefined) throw new LibraryAway(away);
  const attempt: Attempt = { asset, now: deps.clock.now(), ...(refusals === undefined ? {} : { refusals }) };
  const gateway = await deps.gatewayFor(asset.profile_id ?? '');
  if (!gateway)
    return decideDownload(attempt, {
      type: 'interrupted',
      message: t`Its gateway was removed.`,
      madeProgress: false,
    });
  const stallGuard = createStallGuard(deps.clock, onFirstBytes);
  try {
    const result = await download(
      { id: asset.id, uri: asset.remote_uri ?? '', badResponses: asset.strikes },
      {
        home: lease.home,
        inUse: deps.inUse,
        gateway,
        signal: AbortSignal.any([stop, stallGuard.signal]),
        freeBytes: deps.freeBytes,
        onBytes: stallGuard.onBytes,
      },
    );
    const settled = result.type === 'local' ? await deps.location.settle(lease, result.file) : undefined;
    const decided: DownloadResult =
      settled?.ok === false ? { type: 'interrupted', message: settled.error.message, madeProgress: false } : result;
    const decision = decideDownload({ ...attempt, now: deps.clock.now() }, decided);
    return decision.type === 'retry' && isDeniedAccess(decided) && (await deps.lacksKey?.(asset.profile_id ?? ''))
      ? { ...decision, message: WAITS_FOR_KEY }
      : decision;
  } finally {
    stallGuard.stop();
  }
}

/** The error for an asset whose bytes are not on this disk. */
export const notLocal = ({ state, emptied }: Pick<AssetRow, 'state' | 'emptied'>): Result<never> =>
  fail(
    'not_found',
    emptied === 1
      ? DELETED
      : state === 'expired'
        ? en`Its link at the gateway has ended before it could be downloaded.`
        : en`It is not on this machine yet.`,
  );
