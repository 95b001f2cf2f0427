import { constants, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset } from '../../../../shared/asset.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import { exportedName } from '../../../core/exports/index.ts';
import type { Logger } from '../../../core/ports.ts';
import type { Studio } from '../../../core/studio.ts';

/** Up to here a file is copied when it is pressed, where its disk cannot clone it; a larger one once it is dragged. */
const AT_ONCE_BYTES = 32 * 1024 ** 2;
const MOST_BYTES = 1024 ** 3;
/** What stays free on the disk of the copies. */
const KEPT_FREE = 2 * 1024 ** 3;
/** Copies that were pressed and never dragged, and ones that were: older ones go. */
const MOST_READY = 4;
const MOST_GIVEN = 32;

interface Copy {
  assetId: string;
  folder: string;
  file: string;
}

/**
 * Files that are dragged out of the window. Whoever gets one may write into it, and the library's own must never change: each drag hands
 * out a copy of its own, under the name that an export gives it, in a folder that ends with the run. Where the disk can, a copy is a
 * clone, which costs nothing; a hard link would be the library's file.
 */
export class DraggedFiles {
  private readonly folder: string;
  private readonly studio: () => Promise<Studio>;
  private readonly log: Logger;
  private readonly ready = new Map<string, Promise<Copy | undefined>>();
  private readonly given: Copy[] = [];
  private made = 0;
  private dragging: string | undefined;

  constructor(folder: string, studio: () => Promise<Studio>, log: Logger) {
    this.folder = folder;
    this.studio = studio;
    this.log = log;
    // What a run that was killed has left.
    this.removeAll();
  }

  /** It was pressed, and may be dragged. */
  press(assetId: string): void {
    if (this.ready.has(assetId)) return;
    this.keep(assetId, this.copyOf(assetId, AT_ONCE_BYTES));
    for (const [old, copy] of [...this.ready].slice(0, -MOST_READY)) {
      this.ready.delete(old);
      void copy.then((one) => this.remove(one));
    }
  }

  /** It is dragged: `begin` gets the file, unless the pointer was let go before its copy was there. */
  async start(assetId: string, begin: (file: string) => void): Promise<Result<null>> {
    this.dragging = assetId;
    const pressed = await this.ready.get(assetId);
    this.ready.delete(assetId);
    const copy = pressed ?? (await this.copyOf(assetId, MOST_BYTES));
    const isHeld = this.dragging === assetId;
    this.end();
    if (!copy) return fail('too_large', t`This file is too large to be dragged from here. Export it instead.`);
    if (!isHeld) {
      this.keep(assetId, Promise.resolve(copy));
      return ok(null);
    }
    this.given.push(copy);
    for (const old of this.given.splice(0, Math.max(0, this.given.length - MOST_GIVEN))) void this.remove(old);
    begin(copy.file);
    return ok(null);
  }

  /** The pointer was let go. */
  end(): void {
    this.dragging = undefined;
  }

  removeAll(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch (error) {
      this.log.warn({ error: String(error) }, 'copies of dragged files could not be removed');
    }
  }

  private keep(assetId: string, copy: Promise<Copy | undefined>): void {
    this.ready.set(assetId, copy);
    void copy.then((one) => {
      if (!one && this.ready.get(assetId) === copy) this.ready.delete(assetId);
    });
  }

  /** Undefined where it is not on this disk, larger than `most` bytes and not to be cloned, or the disk is full. */
  private async copyOf(assetId: string, most: number): Promise<Copy | undefined> {
    const folder = join(this.folder, String(++this.made));
    try {
      const studio = await this.studio();
      const [asset, file] = [await studio.call('library.get', { id: assetId }), studio.media.open(assetId)];
      if (!asset.ok || !file.ok) return undefined;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const copy = { assetId, folder, file: join(folder, exportedName(asset.data as Asset)) };
      if (!(await isCloned(file.data.path, copy.file))) {
        if (file.data.bytes > most || (await freeAt(folder)) < file.data.bytes + KEPT_FREE) {
          await this.remove(copy);
          return undefined;
        }
        await copyFile(file.data.path, copy.file);
      }
      await chmod(copy.file, 0o600);
      return copy;
    } catch (error) {
      this.log.warn({ error: String(error) }, 'a file that is dragged could not be copied');
      await rm(folder, { recursive: true, force: true }).catch(() => {});
      return undefined;
    }
  }

  private async remove(copy: Copy | undefined): Promise<void> {
    if (copy) await rm(copy.folder, { recursive: true, force: true }).catch(() => {});
  }
}

const isCloned = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );

async function freeAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
