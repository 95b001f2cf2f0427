import { z } from 'zod';
import type { Logger } from '../ports.ts';
import { readJsonFlag, sql, type WriteDb, writeFlag } from '../store/index.ts';
import type { AssetRow } from './assetColumns.ts';
import type { LibraryDeps } from './content/diskSpace.ts';
import { probeInProcess } from './media/inspector.ts';

export type PictureSizesDeps = Pick<LibraryDeps, 'store' | 'clock' | 'location'> & { log: Pick<Logger, 'warn'> };

type SizedRow = Pick<AssetRow, 'seq' | 'id' | 'sha256' | 'mime' | 'width' | 'height'>;

const lastSeq = sql('assets.lastSeq', 'SELECT coalesce(max(seq), 0) AS seq FROM assets');
/** Pictures whose size may be wrong: every JPEG, and other types that can state an orientation, if imported or without a size. */
const nextRows = sql(
  'assets.toSize',
  `SELECT seq, id, sha256, mime, width, height FROM assets WHERE seq > $after AND seq <= $until AND state = 'local' AND emptied = 0
     AND (mime = 'image/jpeg' OR (mime IN ('image/png', 'image/avif', 'image/webp') AND (role = 'source' OR width = 0))) ORDER BY seq LIMIT $limit`,
);
const save = sql(
  'assets.size',
  'UPDATE assets SET width = $width, height = $height WHERE id = $id AND sha256 = $sha256 AND emptied = 0',
);

const FLAG = 'library:pictureSizes';
/** Raised when sizes are read differently. 2: applies the orientation, and reads beyond long segments. */
const METHOD = 2;
const progressSchema = z.object({ method: z.literal(METHOD), after: z.number(), until: z.number() });
type Progress = z.infer<typeof progressSchema>;

/** After the start is over. */
const FIRST_AFTER_MS = 60_000;
const NEXT_AFTER_MS = 500;
const AWAY_MS = 600_000;
const ROWS_AT_ONCE = 50;

/**
 * Corrects picture sizes that an earlier version read differently: the sides of an upright photo were swapped, and a photo with much data
 * before its frame had no size. Runs once for each library, a few files at a time, and continues after a restart.
 */
export class PictureSizes {
  private readonly deps: PictureSizesDeps;
  private cancelNext: () => void = () => undefined;
  private isClosed = false;

  constructor(deps: PictureSizesDeps) {
    this.deps = deps;
  }

  start(): void {
    try {
      const { read } = this.deps.store;
      const known = readJsonFlag(read, FLAG, progressSchema);
      // New files are already read correctly.
      const progress = known ?? { method: METHOD, after: 0, until: read.one<{ seq: number }>(lastSeq)?.seq ?? 0 };
      if (progress.after < progress.until) this.next(FIRST_AFTER_MS, progress);
      else if (!known) this.deps.store.transaction((db) => writeProgress(db, progress));
    } catch (error) {
      this.failed(error);
    }
  }

  private next(afterMs: number, progress: Progress): void {
    this.cancelNext = this.deps.clock.after(afterMs, () => void this.look(progress));
  }

  private async look(progress: Progress): Promise<void> {
    try {
      const { after, until } = progress;
      const limit = ROWS_AT_ONCE;
      const rows = await this.deps.store.readInThread((db) => db.all<SizedRow>(nextRows, { after, until, limit }));
      const found: SizedRow[] = [];
      for (const row of rows) found.push(...(await this.changed(row)));
      if (this.isClosed) return;
      if ((await this.deps.location.look()) !== undefined) return this.next(AWAY_MS, progress);
      const come = { ...progress, after: rows.length < limit ? until : (rows.at(-1)?.seq ?? until) };
      this.deps.store.transaction((db) => {
        for (const { id, sha256, width, height } of found) db.run(save, { id, sha256, width, height });
        writeProgress(db, come);
      });
      if (come.after < until) this.next(NEXT_AFTER_MS, come);
    } catch (error) {
      this.failed(error);
    }
  }

  /** The row with the displayed size, if it differs. */
  private async changed(row: SizedRow): Promise<SizedRow[]> {
    if (this.isClosed || this.deps.location.fault() !== undefined) return [];
    const probe = await probeInProcess(this.deps.location.pathOf(row));
    const isSame = !probe || (probe.width === row.width && probe.height === row.height);
    return isSame ? [] : [{ ...row, width: probe.width, height: probe.height }];
  }

  /** For example, the disk is full. The next start continues. */
  private failed(error: unknown): void {
    if (!this.isClosed) this.deps.log.warn({ error: String(error) }, 'sizes of pictures could not be read again');
  }

  close(): void {
    this.isClosed = true;
    this.cancelNext();
  }
}

const writeProgress = (db: WriteDb, progress: Progress): number => writeFlag(db, FLAG, JSON.stringify(progress));
