import { lstat } from 'node:fs/promises';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Export, ExportedFile, ExportKind, ExportPage } from '../../../shared/film/filmExport.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { en, t } from '../../../shared/text/texts.ts';
import { codeOf, isDiskFull, isWriteProtected, messageOf } from '../faults.ts';
import { sizeOf, withFolderTimeout } from '../library/index.ts';
import type { Clock, Ids, Logger, MediaFile } from '../ports.ts';
import { isDiskFault, type Store } from '../store/index.ts';
import {
  isDiskAway,
  isFolder,
  makeFolder,
  nameFiles,
  pathIn,
  relink,
  removeEmptyFolders,
  removeUnfinished,
  removeWritten,
} from './exportFolder.ts';
import { DISK_FULL, ExportFault, type ExportSink, FileSink } from './exportSink.ts';
import * as table from './exportTable.ts';

export interface ExportsDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Logger;
  dataDir: string;
  /** Dailies' version, for hash lists. */
  version: string;
  emit(event: StudioEvent): void;
  /** Free bytes on the disk of a folder. */
  freeBytes(folder: string): number | Promise<number>;
}

export interface ExportToStart {
  kind: ExportKind;
  name: string;
  projectId?: string;
  /** A folder of the user's. */
  destination?: string | undefined;
  /** The approximate size. */
  bytes: number;
  /** Hashes of library files that must stay until it has ended. */
  uses?: readonly string[];
}

type EndingOutcome = Omit<table.Ending, 'progress' | 'finishedAt'>;

interface Running {
  cancel: AbortController;
  progress: number;
  uses: readonly string[];
  ended: Promise<void>;
}

const RETRY_MS = 2_000;
const endUnwritten = fail(
  'disk_full',
  en`It has ended, and the disk is full: that is written once there is room. There is nothing to cancel.`,
);
const noSuchExport = fail('not_found', 'There is no such export.');
const FOLDER_GONE = t`The folder of the export is gone.`;
const CLOSED = t`Dailies was closed before the export was finished. Start it again.`;

/** What remains of a half-written export: `away`: its folder is missing, as on a removed disk; `left`: it could not be removed. */
type Rest = 'removed' | 'away' | 'left';

const restWords = (rest: Rest): string | undefined =>
  rest === 'removed' ? undefined : t`The folder may hold half-written files.`;
const withRest = (sentence: string, rest: Rest): string => [sentence, restWords(rest)].filter(Boolean).join(' ');

/**
 * Exports of files. Each has a row until it is removed, and a folder of its own. Files are written as `.part`, verified on the disk, and
 * named together at the end.
 */
export class Exports {
  private readonly deps: ExportsDeps;
  private readonly running = new Map<string, Running>();
  /** Exports whose end waits for room on the disk, with a function to cancel the wait. */
  private readonly ending = new Map<string, () => void>();
  private isClosed = false;

  constructor(deps: ExportsDeps) {
    this.deps = deps;
  }

  /** After a crash: an export with all files verified is finished; any other's half-written files are removed. */
  async recover(): Promise<void> {
    for (const { export: left, recorded, begun } of table.runningExports(this.deps.store.read)) {
      const isWhole = recorded.length > 0;
      if (isWhole && (await this.finishNaming(left, recorded)))
        this.end(left.id, { state: 'done', files: recorded, mode: left.mode, why: left.why });
      else await this.fail(left, { names: isWhole ? recorded.map(({ name }) => name) : begun, isNaming: isWhole });
    }
  }

  private async finishNaming(left: Export, recorded: readonly table.RecordedFile[]): Promise<boolean> {
    try {
      await nameFiles(
        left.folder,
        recorded.map(({ name }) => name),
      );
      return true;
    } catch (error) {
      this.deps.log.warn(
        { export: left.id, error: messageOf(error) },
        'an export could not be finished after a restart',
      );
      return false;
    }
  }

  /** Starts an export and answers once it has its folder; `write` writes its files. */
  async start(
    wanted: ExportToStart,
    write: (sink: ExportSink) => Promise<Result<table.HowMade>>,
  ): Promise<Result<Export>> {
    const id = this.deps.ids.id('exp');
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const entry: Running = { cancel: new AbortController(), progress: 0, uses: wanted.uses ?? [], ended };
    // From here on, its sources are protected from deletion.
    this.running.set(id, entry);
    try {
      const folder = await withFolderTimeout('folder', () => this.folderFor(wanted), entry.cancel.signal);
      if (!folder.ok) return folder;
      this.addRow(id, folder.data, wanted);
      // Runs after the answer.
      end(Promise.resolve().then(() => this.run(id, folder.data, entry, write)));
      return this.get(id);
    } catch (error) {
      if (error !== CLOSED) throw error;
      return fail('wrong_state', CLOSED);
    } finally {
      if (!this.get(id).ok) this.running.delete(id);
      end();
    }
  }

  private addRow(id: string, folder: string, { kind, name, projectId }: ExportToStart): void {
    const createdAt = this.deps.clock.now();
    const row = { id, kind, name, folder, createdAt, ...(projectId ? { projectId } : {}) };
    this.deps.store.transaction((db) => table.addExport(db, row));
    this.tell(id);
  }

  private async folderFor(wanted: ExportToStart): Promise<Result<string>> {
    const { dataDir, store } = this.deps;
    const { destination, name } = wanted;
    const free = await this.deps.freeBytes(
      destination !== undefined && (await isFolder(destination)) ? destination : dataDir,
    );
    if (wanted.bytes > free) {
      const message = en`The export needs about ${formatBytes(wanted.bytes)}; the disk has ${formatBytes(free)} free. Nothing was written.`;
      return fail('disk_full', message);
    }
    return makeFolder(dataDir, { name, destination }, (one) => table.isOfExport(store.read, one));
  }

  private async run(
    id: string,
    folder: string,
    entry: Running,
    write: (sink: ExportSink) => Promise<Result<table.HowMade>>,
  ): Promise<void> {
    const sink = new FileSink(folder, entry.cancel.signal, {
      onProgress: (share) => this.progress(id, entry, share),
      onBegin: (name) => this.deps.store.transaction((db) => table.addExportPart(db, id, name)),
    });
    let isNaming = false;
    let ending: EndingOutcome;
    try {
      const made = await write(sink);
      entry.cancel.signal.throwIfAborted();
      if (!made.ok) throw new ExportFault(made.error.message);
      const files = await sink.readBack({ version: this.deps.version, at: this.deps.clock.now() });
      entry.cancel.signal.throwIfAborted();
      this.deps.store.transaction((db) => table.recordFiles(db, id, files, made.data));
      isNaming = true;
      await nameFiles(folder, sink.names);
      ending = { state: 'done', files, ...made.data };
    } catch (error) {
      // The maker knows only its file, not that the whole folder is gone.
      const rest = await this.removeRest({ id, folder }, sink.names, isNaming);
      ending = this.endingAfter(id, rest === 'away' ? new ExportFault(FOLDER_GONE) : error, rest);
    }
    try {
      this.end(id, ending);
    } catch (error) {
      // The row says "running" until the next start at the latest; complete files keep their names.
      this.deps.log.error({ export: id, error: messageOf(error) }, 'the end of an export could not be written');
      if (isDiskFault(error)) this.endLater(id, ending);
    } finally {
      this.running.delete(id);
    }
  }

  /** Not awaited by readers of its files, nor by a close. */
  private endLater(id: string, ending: EndingOutcome): void {
    if (this.isClosed) return;
    const again = (): void => {
      this.ending.delete(id);
      try {
        this.end(id, ending);
      } catch (error) {
        if (isDiskFault(error)) this.endLater(id, ending);
        else this.deps.log.error({ export: id, error: messageOf(error) }, 'the end of an export could not be written');
      }
    };
    this.ending.set(id, this.deps.clock.after(RETRY_MS, again));
  }

  private endingAfter(id: string, error: unknown, rest: Rest): EndingOutcome {
    const signal = this.running.get(id)?.cancel.signal;
    if (signal?.aborted) {
      if (signal.reason === CLOSED) return { state: 'failed', error: withRest(CLOSED, rest), files: [] };
      const stays = restWords(rest);
      return { state: 'canceled', files: [], ...(stays && { error: stays }) };
    }
    if (!(error instanceof ExportFault))
      this.deps.log.error(
        { export: id, error: error instanceof Error ? error.stack : String(error) },
        'an export failed',
      );
    return { state: 'failed', error: withRest(sentenceOf(error), rest), files: [] };
  }

  private async fail(
    left: Export,
    { names, isNaming }: { names: readonly string[]; isNaming: boolean },
  ): Promise<void> {
    const rest = await this.removeRest(left, names, isNaming);
    this.end(left.id, { state: 'failed', error: withRest(CLOSED, rest), files: [] });
  }

  /** An empty folder that remains is not half-written. */
  private async removeRest(
    { id, folder }: Pick<Export, 'id' | 'folder'>,
    names: readonly string[],
    isNaming: boolean,
  ): Promise<Rest> {
    if (!(await isFolder(folder))) return 'away';
    if (!(await this.removeQuietly(id, () => removeUnfinished(folder, names, isNaming)))) return 'left';
    await this.removeQuietly(id, () => removeEmptyFolders(folder, names));
    return 'removed';
  }

  /** False if it could not be removed. */
  private async removeQuietly(id: string, remove: () => Promise<void>): Promise<boolean> {
    try {
      await remove();
      return true;
    } catch (error) {
      this.deps.log.warn({ export: id, error: messageOf(error) }, 'what was half written could not be removed');
      return false;
    }
  }

  private end(id: string, ending: EndingOutcome): void {
    const progress = ending.state === 'done' ? 100 : (this.running.get(id)?.progress ?? 0);
    const finishedAt = this.deps.clock.now();
    this.deps.store.transaction((db) => table.endExport(db, id, { ...ending, progress, finishedAt }));
    this.running.delete(id);
    this.tell(id);
  }

  private progress(id: string, entry: Running, share: number): void {
    const percent = Math.min(99, Math.floor(share * 100));
    if (percent <= entry.progress) return;
    entry.progress = percent;
    this.tell(id);
  }

  private tell(id: string): void {
    const one = this.get(id);
    if (one.ok) this.deps.emit({ type: 'export.changed', export: one.data });
  }

  get(id: string): Result<Export> {
    const known = table.readExport(this.deps.store.read, id);
    return known ? ok(this.withProgress(known)) : noSuchExport;
  }

  list(asked: Parameters<typeof table.listExports>[1]): ExportPage {
    const page = table.listExports(this.deps.store.read, asked);
    return { ...page, exports: page.exports.map((one) => this.withProgress(one)) };
  }

  /** Progress is stored only at the end; until then it raises the revision like a stored change. */
  private withProgress(known: Export): Export {
    const progress = this.running.get(known.id)?.progress;
    return progress === undefined ? known : { ...known, progress, revision: known.revision + progress };
  }

  /** The hashes of library files in use. */
  filesInUse(): string[] {
    return [...this.running.values()].flatMap(({ uses }) => uses);
  }

  /** The hashes of library files that finished exports link to, also while their folder is away. */
  async filesLinked(): Promise<string[]> {
    const linked: string[] = [];
    for (const { folder, files } of await this.deps.store.readInThread(table.finishedFiles)) {
      const isAway = await isDiskAway(folder);
      for (const { name, sha256, isLink } of files) {
        const found = isAway ? undefined : await lstat(pathIn(folder, name)).catch(() => undefined);
        if (isAway ? isLink : found?.isSymbolicLink()) linked.push(sha256);
      }
    }
    return linked;
  }

  /** The library moves: redirects the links of finished exports, and waits for running exports that read from the old place. */
  async leave(from: string, to: string): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    for (const { folder, files } of await this.deps.store.readInThread(table.finishedFiles))
      for (const { name } of files) await relink(pathIn(folder, name), from, to);
  }

  /** Answers when all its files are gone. */
  async cancel(id: string): Promise<Result<Export>> {
    const entry = this.running.get(id);
    if (entry) {
      entry.cancel.abort();
      await entry.ended;
      return this.get(id);
    }
    if (this.ending.has(id)) return endUnwritten;
    const known = this.get(id);
    return known.ok ? fail('wrong_state', en`It has ended; there is nothing to cancel.`) : known;
  }

  /** Removes the row of an export and those of its files that are unchanged. Library files stay, also behind links. */
  async remove(id: string): Promise<Result<null>> {
    const known = table.readExport(this.deps.store.read, id);
    if (!known) return noSuchExport;
    if (this.running.has(id)) return fail('wrong_state', en`It is still running; cancel it first.`);
    await removeWritten(known.folder, allFiles(known));
    this.deps.store.transaction((db) => table.removeExport(db, id));
    this.deps.emit({ type: 'export.removed', exportId: id });
    return ok(null);
  }

  /** A file of a finished export; only listed names. */
  async open(id: string, name: string): Promise<Result<MediaFile>> {
    const known = table.readExport(this.deps.store.read, id);
    const file = known && allFiles(known).find((one) => one.name === name);
    if (!known || !file) return fail('not_found', 'There is no such file of an export.');
    const exported = pathIn(known.folder, file.name);
    const size = await withFolderTimeout('folder', async () => ok(await sizeOf(exported)));
    if (!size.ok) return size;
    if (size.data !== file.bytes) return fail('not_found', en`The file is not there any more, or was changed.`);
    return ok({
      path: exported,
      mime: file.mime,
      bytes: file.bytes,
      sha256: file.sha256,
      name: file.name.split('/').at(-1) ?? '',
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const cancel of this.ending.values()) cancel();
    for (const { cancel } of this.running.values()) cancel.abort(CLOSED);
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }
}

const allFiles = ({ files, hashList = [] }: Export): ExportedFile[] => [...files, ...hashList];

function sentenceOf(error: unknown): string {
  if (error instanceof ExportFault) return error.message;
  if (isDiskFull(error)) return DISK_FULL;
  if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return FOLDER_GONE;
  if (isWriteProtected(error)) return t`The folder of the export cannot be written to.`;
  return t`The export failed: ${messageOf(error)}.`;
}
