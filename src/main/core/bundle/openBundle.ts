import fs from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Project } from '../../../shared/board/board.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { sha256Schema } from '../../../shared/library/sidecar.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { en } from '../../../shared/text/texts.ts';
import { syncFolderSync, writeSynced } from '../durableFiles.ts';
import {
  type BundledFiles,
  describeUnreadable,
  probeInProcess,
  type StoredFile,
  writeStream,
} from '../library/index.ts';
import { unfinishedProject, withProjectLock } from '../store/index.ts';
import type { Storyboard } from '../storyboard/index.ts';
import { inTurns } from '../timeSlicing.ts';
import { heldOf, type WriteDeps, writeProject } from './importProject.ts';
import type { Bundle } from './readBundle.ts';
import { bundleError, type ZipBytes, type ZipEntry } from './readZip.ts';

export interface OpenDeps extends WriteDeps {
  dataDir: string;
  files: BundledFiles;
  announceMedia(): void;
  getJob(id: string): Result<Job>;
  getAsset(id: string): Result<Asset>;
  storyboard: Pick<Storyboard, 'addProject' | 'announceProjects'>;
  /** Free bytes on the disk of the library or of the data folder, whichever has fewer. */
  freeBytes(): number;
}

/**
 * Opens a bundle as a new project. Media are unpacked into a folder of their own, verified and stored; the rows stay hidden until one
 * transaction completes the project. After a crash no project remains, and the next start removes what was stored.
 */
export async function openBundle(deps: OpenDeps, zip: ZipBytes, bundle: Bundle): Promise<Result<Project>> {
  const stored = new Map<string, StoredFile>();
  let temp: TempFolder | undefined;
  try {
    const held = await heldOf(deps, bundle, stored);
    const needed = [...bundle.media].filter(([sha256]) => !stored.has(sha256));
    const largest = needed.reduce((most, [, { bytes }]) => Math.max(most, bytes), 0);
    const bytes = needed.reduce((sum, [, entry]) => sum + entry.bytes, largest);
    const free = deps.freeBytes();
    if (bytes > free)
      return fail(
        'disk_full',
        en`It needs ${formatBytes(bytes)}, and the disk has ${formatBytes(free)} free. Nothing was opened.`,
      );
    temp = new TempFolder(deps.dataDir, deps.ids.id('open'));
    const unpacked = await unpackAll(deps, zip, { needed, temp });
    if (!unpacked.ok) return unpacked;
    temp.note(unpacked.data);
    for (const { sha256 } of unpacked.data) {
      if (deps.closing.aborted) return closed;
      const one = await deps.files.storeInUse(temp.fileOf(sha256), sha256, deps.closing);
      if (!one.ok && deps.closing.aborted) return closed;
      if (!one.ok) return fail(one.error.code, en`${one.error.message} Nothing was opened.`);
      stored.set(sha256, one.data);
    }
    const project = await writeProject(deps, bundle, held);
    if (!project) return closed;
    deps.announceMedia();
    deps.storyboard.announceProjects();
    return ok(project);
  } finally {
    // Files that the project names stay.
    for await (const [, file] of inTurns(stored.values())) await deps.files.letGo(file);
    // Files of rows that the next start removes are noted there.
    await withProjectLock(deps.store, async () => {
      if (unfinishedProject(deps.store.read) === undefined) await temp?.remove();
    });
  }
}

const closed = fail('wrong_state', en`Dailies was closed before the bundle was opened. Open it again.`);

async function unpackAll(
  deps: Pick<OpenDeps, 'closing'>,
  zip: ZipBytes,
  { needed, temp }: { needed: readonly [string, ZipEntry][]; temp: TempFolder },
): Promise<Result<{ sha256: string; mime: string }[]>> {
  const unpacked: { sha256: string; mime: string }[] = [];
  for (const [sha256, entry] of needed) {
    if (deps.closing.aborted) return closed;
    const file = temp.fileOf(sha256);
    const written = await unpackOne(deps, zip.read(entry), { file, cap: entry.bytes });
    if (!written.ok) return written;
    if (written.data.sha256 !== sha256) throw bundleError(entry.name, 'its bytes are not those that its hash names.');
    const probe = await probeInProcess(file);
    // The original may not have been readable either: its hash decides.
    const seen = probe ? ok(probe) : await describeUnreadable(file, written.data);
    if (!seen.ok) throw bundleError(entry.name, seen.error.message);
    unpacked.push({ sha256, mime: seen.data.mime });
  }
  return ok(unpacked);
}

async function unpackOne(
  deps: Pick<OpenDeps, 'closing'>,
  bytes: AsyncIterable<Uint8Array>,
  { file, cap }: { file: string; cap: number },
): Promise<Awaited<ReturnType<typeof writeStream>>> {
  let fault: unknown;
  const body = untilClosed(deps, bytes, (error) => {
    fault = error;
  });
  const written = await writeStream(file, body, { from: 0, cap });
  if (deps.closing.aborted) return closed;
  if (fault) throw fault;
  return written.ok ? written : fail(written.error.code, en`${written.error.message} Nothing was opened.`);
}

/** The bytes until the program closes. Their errors are recorded, to tell them from errors of the disk that they are written to. */
async function* untilClosed(
  { closing }: Pick<OpenDeps, 'closing'>,
  body: AsyncIterable<Uint8Array>,
  noteFault: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      if (closing.aborted) return;
      yield chunk;
    }
  } catch (error) {
    noteFault(error);
    throw error;
  }
}

/** The folder for unpacking and receiving bundles; each start empties it. */

const folderOf = (dataDir: string): string => path.join(dataDir, 'bundles');

/** Content being stored for a bundle: after a crash, files without an asset are removed. */
interface Storing {
  sha256: string;
  mime: string;
}

export class TempFolder {
  readonly path: string;

  constructor(dataDir: string, name: string) {
    this.path = path.join(folderOf(dataDir), name);
    fs.mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }

  fileOf(name: string): string {
    return path.join(this.path, name);
  }

  /** Written to disk before the first of them is stored. */
  note(storing: readonly Storing[]): void {
    writeSynced(this.fileOf(NOTE), JSON.stringify(storing));
    syncFolderSync(this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

const NOTE = 'storing.json';

/** Folders of the previous run with half unpacked bundles. */
export function leftoverFolders(dataDir: string): string[] {
  const folder = folderOf(dataDir);
  return fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
}

/** The files that were being stored when Dailies crashed. */
export const interruptedStoring = (folders: readonly string[]): Storing[] =>
  folders.flatMap((folder) => storingIn(path.join(folder, NOTE)));

function storingIn(note: string): Storing[] {
  try {
    const noted = JSON.parse(fs.readFileSync(note, 'utf8')) as Storing[];
    return noted.filter(({ sha256, mime }) => sha256Schema.safeParse(sha256).success && typeof mime === 'string');
  } catch {
    return [];
  }
}

export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
