import { randomUUID } from 'node:crypto';
import { constants, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { exportedName } from '../../../../shared/library/fileNames.ts';
import { en } from '../../../../shared/text/texts.ts';
import type { Logger, Ports } from '../../../core/ports.ts';
import type { Studio } from '../../../core/studio.ts';

/** On a disk without clones, files up to this size are copied on press; larger ones when they are dragged. */
const AT_ONCE_BYTES = 32 * 1024 ** 2;
const MOST_BYTES = 1024 ** 3;
/** Free space that copies must leave. */
const KEPT_FREE = 2 * 1024 ** 3;
/** Copies that were pressed but not dragged; beyond this number the oldest are removed. */
const MOST_READY = 4;
/** How long a dragged copy is kept: an editing program may link to the file instead of copying it. */
const GIVEN_MS = 7 * 24 * 3_600_000;

const TOO_LARGE = fail('too_large', en`This file is too large to be dragged from here. Export it instead.`);
const NO_ROOM = fail(
  'disk_full',
  en`No room for a copy on the disk of the data folder: 2 GB stay free there. Export the file to another disk.`,
);
const NOT_COPIED = fail('internal', en`This file could not be copied to be dragged. Export it instead.`);

interface CopyDisk {
  /** False if the disk cannot clone. */
  clone(from: string, to: string): Promise<boolean>;
  freeAt(folder: string): Promise<number>;
}

interface Copy {
  assetId: string;
  folder: string;
  file: string;
}

/**
 * Files dragged out of the window. The receiver may write into a file, and the library's must never change, so each drag hands out a copy
 * under its export name, kept for a week. A copy is a clone if the disk can; a hard link would be the library's file.
 */
export class DraggedFiles {
  private readonly pressed: string;
  private readonly given: string;
  private readonly studio: () => Promise<Studio>;
  private readonly log: Logger;
  private readonly disk: CopyDisk;
  private readonly ready = new Map<string, Promise<Result<Copy>>>();
  private dragging: string | undefined;

  constructor(
    folder: string,
    studio: () => Promise<Studio>,
    { clock, log }: Pick<Ports, 'clock' | 'log'>,
    disk: CopyDisk = { clone, freeAt },
  ) {
    this.disk = disk;
    this.pressed = join(folder, 'pressed');
    this.given = join(folder, 'given');
    this.studio = studio;
    this.log = log;
    // Leftovers of a run that was killed.
    this.removePressed();
    this.removeOld(clock.now());
  }

  /** The file was pressed, and may be dragged. */
  press(assetId: string): void {
    if (this.ready.has(assetId)) return;
    this.keep(assetId, this.copyOf(assetId, AT_ONCE_BYTES));
    for (const [old, copy] of [...this.ready].slice(0, -MOST_READY)) {
      this.ready.delete(old);
      void copy.then((one) => (one.ok ? this.remove(one.data) : undefined));
    }
  }

  /** The file is dragged: `begin` gets its copy, unless the pointer was released first. */
  async start(assetId: string, begin: (file: string) => void): Promise<Result<null>> {
    this.dragging = assetId;
    const ready = this.ready.get(assetId);
    // At once: a second drag of the same file meanwhile needs its own copy.
    this.ready.delete(assetId);
    const early = await ready;
    const made = early?.ok ? early : await this.copyOf(assetId, MOST_BYTES);
    const copy = made.ok ? await this.give(made.data) : undefined;
    const isHeld = this.dragging === assetId;
    this.end();
    if (!copy) return made.ok ? NOT_COPIED : made;
    if (!isHeld) {
      this.keep(assetId, Promise.resolve(ok(copy)));
      return ok(null);
    }
    begin(copy.file);
    return ok(null);
  }

  end(): void {
    this.dragging = undefined;
  }

  /** Removes copies that were not dragged. */
  removePressed(): void {
    this.tryToRemove(() => rmSync(this.pressed, { recursive: true, force: true }));
  }

  private removeOld(now: number): void {
    const isOld = (folder: string) => now - statSync(folder).mtimeMs > GIVEN_MS;
    this.tryToRemove(() => {
      mkdirSync(this.given, { recursive: true, mode: 0o700 });
      const folders = readdirSync(this.given).map((name) => join(this.given, name));
      for (const folder of folders.filter(isOld)) rmSync(folder, { recursive: true, force: true });
    });
  }

  private tryToRemove(remove: () => void): void {
    try {
      remove();
    } catch (error) {
      this.log.warn({ error: String(error) }, 'copies of dragged files could not be removed');
    }
  }

  /** Moves the copy to those that stay; if that fails it is handed out anyway, and stays until the program ends. */
  private async give(copy: Copy): Promise<Copy> {
    const folder = join(this.given, basename(copy.folder));
    try {
      await rename(copy.folder, folder);
    } catch (error) {
      this.log.warn({ error: String(error) }, 'a copy of a dragged file stays only until the end');
      return copy;
    }
    return { ...copy, folder, file: join(folder, basename(copy.file)) };
  }

  private keep(assetId: string, copy: Promise<Result<Copy>>): void {
    this.ready.set(assetId, copy);
    void copy.then((one) => {
      if (!one.ok && this.ready.get(assetId) === copy) this.ready.delete(assetId);
    });
  }

  /** Refused if the file is not on this disk, or if it cannot be cloned and is larger than `most` bytes or has no room. */
  private async copyOf(assetId: string, most: number): Promise<Result<Copy>> {
    const folder = join(this.pressed, randomUUID());
    try {
      const studio = await this.studio();
      const [asset, file] = [await studio.call('library.get', { id: assetId }), studio.media.open(assetId)];
      if (!asset.ok) return asset;
      if (!file.ok) return file;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const copy = { assetId, folder, file: join(folder, exportedName(asset.data as Asset)) };
      if (!(await this.disk.clone(file.data.path, copy.file))) {
        const isTooLarge = file.data.bytes > most;
        if (isTooLarge || (await this.disk.freeAt(folder)) < file.data.bytes + KEPT_FREE) {
          await this.remove(copy);
          return isTooLarge ? TOO_LARGE : NO_ROOM;
        }
        await copyFile(file.data.path, copy.file);
      }
      await chmod(copy.file, 0o600);
      return ok(copy);
    } catch (error) {
      this.log.warn({ error: String(error) }, 'a file that is dragged could not be copied');
      await rm(folder, { recursive: true, force: true }).catch(() => {});
      return NOT_COPIED;
    }
  }

  private async remove(copy: Copy): Promise<void> {
    await rm(copy.folder, { recursive: true, force: true }).catch(() => {});
  }
}

const clone = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );

async function freeAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
