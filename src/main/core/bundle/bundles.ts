import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Board, type Project, takesOf } from '../../../shared/board/board.ts';
import type { BundleCall, BundleContents, UploadedBundle } from '../../../shared/bundle/calls.ts';
import {
  BUNDLE_ENDING,
  BUNDLE_ENTRIES,
  BUNDLE_FORM,
  BUNDLE_MIME,
  type BundleJob,
  type BundleManifest,
} from '../../../shared/bundle/document.ts';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import { shownBeginning } from '../../../shared/text/safeText.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Exports } from '../exports/index.ts';
import { type BundledFiles, writeStream } from '../library/index.ts';
import type { Logger, MediaUpload } from '../ports.ts';
import { unfinishedProject } from '../store/index.ts';
import { inTurns, WorkQueue } from '../timeSlicing.ts';
import { threadPieces, WorkerLimitExceeded } from '../workers/index.ts';
import { collectBundle, type GatherDeps } from './collectBundle.ts';
import { removeUnfinished } from './importProject.ts';
import {
  interruptedStoring,
  leftoverFolders,
  type OpenDeps,
  openBundle,
  removeFolders,
  TempFolder,
} from './openBundle.ts';
import type { Bundle } from './readBundle.ts';
import type { BundlePart, BundlePiece, BundleQuestion } from './readBundleWorker.ts';
import { BundleError, bundleError, openZipBytes, refusing, type ZipEntry } from './readZip.ts';
import { zipOf } from './writeZip.ts';

interface BundlesDeps extends Omit<OpenDeps, 'closing'>, GatherDeps {
  log: Logger;
  version: string;
  exports: Pick<Exports, 'start'>;
  board(projectId: string): Result<Board>;
  projectName(id: string): string | undefined;
}

type Given = CallParsed<'bundle.read'>;

interface Upload extends UploadedBundle {
  temp: TempFolder;
  file: string;
}

/** Uploads that are kept until they are opened or discarded, or Dailies closes. */
const MOST_UPLOADS = 8;

const noSuchProject = fail('not_found', 'projectId: there is no such project.', { field: 'projectId' });
const noSuchUpload = fail('not_found', en`uploadId: the file is not there any more; choose it again.`, {
  field: 'uploadId',
});

/** Exports a film as one file, and opens such a file. */
export class Bundles {
  private readonly deps: BundlesDeps;
  private readonly uploads = new Map<string, Upload>();
  private readonly opening = new Map<string, Promise<Result<Project>>>();
  private readonly queue = new WorkQueue();
  private readonly closing = new AbortController();

  constructor(deps: BundlesDeps) {
    this.deps = deps;
  }

  handlers(): Pick<Handlers, BundleCall> {
    return {
      'bundle.export': (input) => this.export(input),
      'bundle.read': (input) => this.read(input),
      'bundle.open': (input) => this.open(input),
      'bundle.discard': ({ uploadId }) => this.discard(uploadId),
    };
  }

  /** After a crash, removes files stored for unfinished projects and half unpacked bundles. No bundle is opened before. */
  recover(): void {
    const folders = leftoverFolders(this.deps.dataDir);
    void this.queue.add(() => this.removeLeftovers(folders));
  }

  private async removeLeftovers(folders: readonly string[]): Promise<void> {
    try {
      await removeUnfinished(this.writing());
      for await (const [, left] of inTurns(interruptedStoring(folders))) {
        if (this.isClosed) return;
        await this.deps.files.removeUnnamed(left);
      }
      if (unfinishedProject(this.deps.store.read) === undefined) await removeFolders(folders);
    } catch (error) {
      this.deps.log.warn({ error: String(error) }, 'what was left of a bundle could not be removed');
    }
  }

  private writing(): OpenDeps {
    return { ...this.deps, closing: this.closing.signal };
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Ends an opening in the middle of a file, which may have gigabytes. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.queue.ended();
    await Promise.all([...this.uploads.values()].map(({ temp }) => temp.remove()));
  }

  private async export({ projectId, name, folder }: CallParsed<'bundle.export'>): Promise<Result<Export>> {
    const board = this.deps.board(projectId);
    const title = this.deps.projectName(projectId);
    if (!board.ok || title === undefined) return noSuchProject;
    const gathered = await collectBundle(this.deps, board.data);
    if (!gathered.ok) return gathered;
    const { texts, counts, media, leftOut } = gathered.data;
    const bytes = media.reduce((sum, { file }) => sum + file.bytes, 0);
    const at = this.deps.clock.now();
    const form = { dailies: 'bundle', form: BUNDLE_FORM, version: this.deps.version } as const;
    const manifest: BundleManifest = { ...form, title, createdAt: at, ...counts, bytes };
    const first = { name: BUNDLE_ENTRIES.manifest, pieces: [`${JSON.stringify(manifest, null, 1)}\n`] };
    const wanted = { kind: 'bundle' as const, name: name ?? title, projectId, destination: folder, bytes };
    const uses = media.map(({ file }) => file.sha256);
    return this.deps.exports.start({ ...wanted, uses }, async (sink) => {
      const onBytes = (done: number) => sink.progress(done / Math.max(1, bytes));
      const body = zipOf({ texts: [first, ...texts], media, at, onBytes });
      await sink.writePieces(`${fileNameOf(name ?? title)}${BUNDLE_ENDING}`, BUNDLE_MIME, body);
      return ok(leftOut.length === 0 ? {} : { why: leftOut.join(' ') });
    });
  }

  /** A bundle uploaded by `PUT`, streamed into a folder of its own. */
  async receive({ name, body }: Pick<MediaUpload, 'name' | 'body'>): Promise<Result<UploadedBundle>> {
    const uploadId = this.deps.ids.id('bundle');
    if (this.isClosed || this.uploads.size >= MOST_UPLOADS) {
      body.destroy();
      return fail('wrong_state', en`There are too many bundles that were sent and not opened; close some of them.`);
    }
    const temp = new TempFolder(this.deps.dataDir, uploadId);
    const file = temp.fileOf('bundle');
    const given = { uploadId, name: shownBeginning(name, 200), bytes: 0 };
    this.uploads.set(uploadId, { ...given, temp, file });
    const cap = Math.max(0, this.deps.freeBytes());
    const written = await writeStream(file, body, { from: 0, cap });
    if (!written.ok) {
      this.uploads.delete(uploadId);
      await temp.remove();
      return written.error.code === 'too_large' ? noRoom : written;
    }
    const { bytes } = written.data;
    this.uploads.set(uploadId, { ...given, bytes, temp, file });
    return ok({ ...given, bytes });
  }

  private read(given: Given): Promise<Result<BundleContents>> {
    return this.withBundle(given, async (bundle) => ok(await contentsOf(this.deps, bundle)));
  }

  /** A double click opens one project. */
  private open(given: Given): Promise<Result<Project>> {
    const key = given.uploadId ?? given.path ?? '';
    const running = this.opening.get(key);
    if (running) return running;
    const mine = this.queue.add(() => this.openNow(given)).finally(() => this.opening.delete(key));
    this.opening.set(key, mine);
    return mine;
  }

  private async openNow(given: Given): Promise<Result<Project>> {
    const opened = await this.withBundle(given, async (bundle, file) => {
      const zip = await openZipBytes(file);
      try {
        // Left by an earlier opening because the disk was full.
        await removeUnfinished(this.writing());
        return await openBundle(this.writing(), zip, bundle);
      } finally {
        await zip.close();
      }
    });
    if (opened.ok && given.uploadId !== undefined) await this.discard(given.uploadId);
    return opened;
  }

  private async withBundle<T>(
    given: Given,
    work: (bundle: Bundle, file: string) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const file = await this.fileOf(given);
    if (!file.ok) return file;
    return refusing(async () => work(await bundleInThread(file.data, (value) => this.deps.secretIn(value)), file.data));
  }

  private async fileOf({ path: given, uploadId }: Given): Promise<Result<string>> {
    if (uploadId !== undefined) {
      const upload = this.uploads.get(uploadId);
      return upload ? ok(upload.file) : noSuchUpload;
    }
    if (given === undefined || !path.isAbsolute(given))
      return fail('invalid_input', 'path: must be an absolute path.', { field: 'path' });
    const found = await stat(given).catch(() => undefined);
    return found?.isFile() ? ok(given) : fail('not_found', 'path: there is no such file.', { field: 'path' });
  }

  private async discard(uploadId: string): Promise<Result<null>> {
    const upload = this.uploads.get(uploadId);
    if (!upload) return noSuchUpload;
    this.uploads.delete(uploadId);
    await upload.temp.remove();
    return ok(null);
  }
}

const noRoom = fail('disk_full', en`The bundle is larger than what the disk has free. Nothing was kept of it.`);

/** The content of a bundle, and how much of it is in the library. */
async function contentsOf(
  { files }: { files: Pick<BundledFiles, 'storedContent'> },
  { manifest, shots, jobs, assets, chats, media }: Bundle,
): Promise<BundleContents> {
  const here = { files: 0, bytes: 0 };
  let bytes = 0;
  for await (const [, [sha256, entry]] of inTurns(media)) {
    bytes += entry.bytes;
    if ((await files.storedContent(sha256))?.bytes !== entry.bytes) continue;
    here.files += 1;
    here.bytes += entry.bytes;
  }
  const { title, version, createdAt } = manifest;
  return {
    title,
    version,
    createdAt,
    shots: shots.length,
    takes: new Set(shots.flatMap(takesOf)).size,
    chats: chats.length,
    files: media.size,
    bytes,
    here,
    withoutFile: assets.filter(({ sha256 }) => sha256 === undefined).length,
    cost: costOf(jobs),
  };
}

export function costOf(jobs: readonly BundleJob[]): BundleContents['cost'] {
  const sum = { nano: 0, lowNano: 0, playNano: 0, unpriced: 0 };
  for (const { elsewhere } of jobs) {
    const { costNano = 0, costLowNano = costNano, play } = elsewhere;
    if (elsewhere.costNano === undefined) sum.unpriced += 1;
    else if (play) sum.playNano += costNano;
    else {
      sum.nano += costNano;
      sum.lowNano += costLowNano;
    }
  }
  return sum;
}

const PROGRAM = { from: import.meta.url, source: './readBundleWorker.ts', bundled: 'bundle.js' };

type Parts = Omit<Bundle, 'media'> & { media: Map<string, ZipEntry> };

/** Everything but the media. `secretIn`: the path of the first text that contains a key of the user's. */
async function bundleInThread(file: string, secretIn: (value: unknown) => string | undefined): Promise<Bundle> {
  let bundle: Parts | undefined;
  try {
    for await (const piece of threadPieces<BundlePiece>(PROGRAM, { file } satisfies BundleQuestion)) {
      if ('faults' in piece) throw new BundleError(...piece.faults);
      if (secretIn(piece.part) !== undefined) throw bundleError(piece.entry, 'holds one of your API keys.');
      bundle = withPart(bundle, piece.part);
    }
  } catch (error) {
    throw error instanceof WorkerLimitExceeded
      ? bundleError('', 'Reading it takes more memory or time than a bundle may.')
      : error;
  }
  if (!bundle) throw new Error('a bundle was read without its film');
  return bundle;
}

function withPart(bundle: Parts | undefined, part: BundlePart): Parts | undefined {
  if ('film' in part) return { ...part, shots: [], jobs: [], assets: [], chats: [], media: new Map() };
  if ('shots' in part) bundle?.shots.push(...part.shots);
  else if ('jobs' in part) bundle?.jobs.push(...part.jobs);
  else if ('assets' in part) bundle?.assets.push(...part.assets);
  else if ('chat' in part) bundle?.chats.push(part.chat);
  else if ('messages' in part) bundle?.chats.at(-1)?.messages.push(...part.messages);
  else for (const [sha256, entry] of part.media) bundle?.media.set(sha256, entry);
  return bundle;
}
