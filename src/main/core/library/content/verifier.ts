import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { type FaultyFile, type LibraryCheck, MOST_FAULTY } from '../../../../shared/library/libraryFolder.ts';
import { extensionOf } from '../../../../shared/library/mediaFormats.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { type ReadDb, readFlag, sql, writeFlag } from '../../store/index.ts';
import { severalAtOnce } from '../../timeSlicing.ts';
import type { AssetRow } from '../assetColumns.ts';
import type { LibraryDeps } from './diskSpace.ts';
import { FileThread } from './fileThread.ts';
import { isObjectStorage } from './uploadChecks.ts';

type CheckedRow = Pick<
  AssetRow,
  'seq' | 'id' | 'sha256' | 'mime' | 'bytes' | 'name' | 'remote_uri' | 'state' | 'fault'
>;

const COLUMNS = 'seq, id, sha256, mime, bytes, name, remote_uri, state, fault';
const totals = sql(
  'assets.checkTotals',
  `SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM assets WHERE state = 'local'`,
);
const nextRows = sql(
  'assets.toCheck',
  `SELECT ${COLUMNS} FROM assets WHERE state = 'local' AND seq > $after ORDER BY seq LIMIT $limit`,
);
const current = sql('assets.checkedNow', `SELECT ${COLUMNS} FROM assets WHERE id = $id`);

/** The flag with the last completed check. */
const FLAG = 'library:check';
const ROWS_AT_ONCE = 200;
const FILES_AT_ONCE = 2;
/** Errors that concern a single file only. */
const UNREADABLE = ['ENOENT', 'EIO', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP'];

type Deps = Pick<LibraryDeps, 'store' | 'clock' | 'log' | 'location' | 'emit'>;

class RunningCheck {
  readonly check: LibraryCheck;
  readonly cancel = new AbortController();
  readonly thread = new FileThread();
  readonly seen = new Set<string>();
  passed = 0;
  all = 1;
  ended = Promise.resolve();

  constructor(at: number) {
    const found = { files: 0, bytes: 0, missing: 0, damaged: 0, faulty: [] };
    this.check = { state: 'running', progress: 0, at, ...found };
  }
}

/** Reads every file of the library and compares it with its checksum, one check at a time. */
export class Verifier {
  private readonly deps: Deps;
  private running: RunningCheck | undefined;
  private isClosed = false;
  /** Faulty files that are being fetched again. */
  private readonly fetching = new Set<string>();

  constructor(deps: Deps) {
    this.deps = deps;
    deps.store.onRevised('assets', (ids) => this.revised(ids));
  }

  /** The running check, or else the last one. */
  check(): LibraryCheck | undefined {
    return this.running?.check ?? this.last();
  }

  private last(): LibraryCheck | undefined {
    const text = readFlag(this.deps.store.read, FLAG);
    return text === undefined ? undefined : (JSON.parse(text) as LibraryCheck);
  }

  async start(): Promise<Result<LibraryCheck>> {
    const away = await this.deps.location.look();
    if (away !== undefined) return fail('store_unavailable', away);
    if (this.running) return fail('wrong_state', en`Every file is being checked already.`);
    const run = new RunningCheck(this.deps.clock.now());
    this.running = run;
    // Starts after the answer was sent.
    run.ended = Promise.resolve().then(() => this.run(run));
    return ok(run.check);
  }

  /** Resolves once the check has ended. The last complete check stays. */
  async cancel(): Promise<Result<LibraryCheck>> {
    const { running } = this;
    if (!running) return fail('wrong_state', en`No check is running.`);
    running.cancel.abort();
    await running.ended;
    return ok(running.check);
  }

  private async run(run: RunningCheck): Promise<void> {
    try {
      const { files, bytes } = (await this.deps.store.readInThread((db) =>
        db.one<{ files: number; bytes: number }>(totals),
      )) ?? { files: 0, bytes: 0 };
      run.all = bytes + files;
      for (let after = 0; ; ) {
        const page = await this.deps.store.readInThread((db) => rowsAfter(db, after));
        if (page.length === 0) break;
        await this.checkRows(run, page);
        after = page.at(-1)?.seq ?? after;
      }
      this.end(run, 'done');
    } catch (error) {
      if (run.cancel.signal.aborted) this.end(run, 'canceled');
      else {
        this.deps.log.error({ error: String(error) }, 'the library could not be checked');
        this.end(
          run,
          'failed',
          (await this.deps.location.look()) ?? t`Some files could not be read. Check them again.`,
        );
      }
    } finally {
      await run.thread.close();
    }
  }

  private async checkRows(run: RunningCheck, rows: readonly CheckedRow[]): Promise<void> {
    await severalAtOnce(FILES_AT_ONCE, rows, async (row) => {
      run.cancel.signal.throwIfAborted();
      await this.checkRow(run, row);
    });
  }

  /** Only the row whose file is found faulty is reported; one that shares its file is not read again. */
  private async checkRow(run: RunningCheck, row: CheckedRow): Promise<void> {
    const { check, seen } = run;
    const name = `${row.sha256}.${extensionOf(row.mime)}`;
    if (!seen.has(name)) {
      seen.add(name);
      const fault = await this.faultOf(run, row);
      // The asset may have been deleted from the bin, or downloaded, since it was read.
      const now = fault && this.deps.store.read.one<CheckedRow>(current, { id: row.id });
      if (fault && now?.state === 'local' && now.sha256 === row.sha256) addFault(check, row, fault);
      check.files += 1;
      check.bytes += row.bytes;
    }
    run.passed += row.bytes + 1;
    const percent = Math.min(99, Math.floor((run.passed / Math.max(1, run.all)) * 100));
    if (percent <= check.progress) return;
    check.progress = percent;
    this.tell(check);
  }

  private async faultOf({ thread }: RunningCheck, row: CheckedRow): Promise<FaultyFile['fault'] | undefined> {
    const { location } = this.deps;
    for (;;) {
      const { home } = location;
      const file = location.pathOf(row);
      const read = await thread.hash(file).catch((error: NodeJS.ErrnoException) => {
        if (UNREADABLE.includes(error.code ?? '')) return error.code ?? '';
        throw error;
      });
      // The library has moved meanwhile, or its disk is gone.
      if (typeof read === 'string' && location.home !== home) continue;
      const away = typeof read === 'string' ? await location.look() : undefined;
      if (away !== undefined) throw new Error(away);
      if (read === 'ENOENT') return 'missing';
      return typeof read === 'string' || read.sha256 !== row.sha256 ? 'damaged' : undefined;
    }
  }

  private end(run: RunningCheck, state: LibraryCheck['state'], error?: string): void {
    if (this.running === run) this.running = undefined;
    if (this.isClosed) return;
    Object.assign(run.check, { state, at: this.deps.clock.now(), ...(error === undefined ? {} : { error }) });
    if (state === 'done') {
      run.check.progress = 100;
      this.save(run.check);
    }
    this.tell(run.check);
  }

  private save(check: LibraryCheck): void {
    this.deps.store.transaction((db) => writeFlag(db, FLAG, JSON.stringify(check)));
  }

  private tell(check: LibraryCheck): void {
    if (!this.isClosed) this.deps.emit({ type: 'library.checked', check: structuredClone(check) });
  }

  /** Whether the last check found the file damaged. If so, it may be downloaded again although it exists. */
  isDamaged(id: string): boolean {
    return this.last()?.faulty.some((one) => one.assetId === id && one.fault === 'damaged') === true;
  }

  /** The last check found the file with this content damaged. */
  isContentDamaged(sha256: string): boolean {
    return this.faultyWith(sha256).some(({ fault }) => fault === 'damaged');
  }

  /** The content was stored again from verified bytes, so the last check no longer lists it. */
  storedAnew(sha256: string): void {
    this.heal(this.faultyWith(sha256).map(({ assetId }) => assetId));
  }

  private faultyWith(sha256: string): FaultyFile[] {
    const { read } = this.deps.store;
    const faulty = this.last()?.faulty ?? [];
    return faulty.filter(({ assetId }) => read.one<CheckedRow>(current, { id: assetId })?.sha256 === sha256);
  }

  /** The file is being downloaded again. Once it is here, the last check no longer lists it. */
  fetchesAgain(id: string): void {
    this.fetching.add(id);
  }

  private revised(ids: readonly string[]): void {
    if (this.fetching.size === 0) return;
    const { read } = this.deps.store;
    const rows = ids.flatMap((id) => (this.fetching.has(id) ? (read.one<CheckedRow>(current, { id }) ?? []) : []));
    const ended = rows.filter(({ state }) => state === 'local');
    for (const { id } of ended) this.fetching.delete(id);
    // If the download fails, the faulty file stays listed.
    this.heal(ended.filter(({ fault }) => fault === null).map(({ id }) => id));
  }

  private heal(here: readonly string[]): void {
    const last = this.last();
    if (here.length === 0 || !last) return;
    const healed = last.faulty.filter(({ assetId }) => here.includes(assetId));
    const of = (fault: FaultyFile['fault']): number => healed.filter((one) => one.fault === fault).length;
    const check = {
      ...last,
      faulty: last.faulty.filter(({ assetId }) => !here.includes(assetId)),
      missing: last.missing - of('missing'),
      damaged: last.damaged - of('damaged'),
    };
    // In a separate turn, because the change of the asset is still being announced.
    queueMicrotask(() => {
      if (this.isClosed) return;
      try {
        this.save(check);
        this.tell(check);
      } catch (error) {
        // The next check will find the file intact.
        this.deps.log.error({ error: String(error) }, 'the last check still lists a file that is here again');
      }
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { running } = this;
    running?.cancel.abort();
    await running?.thread.close();
    await running?.ended;
  }
}

const rowsAfter = (db: ReadDb, after: number): CheckedRow[] =>
  db.all<CheckedRow>(nextRows, { after, limit: ROWS_AT_ONCE });

function addFault(check: LibraryCheck, row: CheckedRow, fault: FaultyFile['fault']): void {
  check[fault] += 1;
  if (check.faulty.length >= MOST_FAULTY) return;
  const canFetch = row.remote_uri !== null && !isObjectStorage(row.remote_uri);
  check.faulty.push({ assetId: row.id, name: row.name, fault, canFetch });
}
