import { extensionOf } from '../../../shared/mediaFormats.ts';
import type { Result } from '../../../shared/result.ts';
import type { Ids } from '../ports.ts';
import type { Store, WriteDb } from '../store/index.ts';
import type { Bin } from './bin.ts';
import { type AssetOfElsewhere, frameIsThere, insertElsewhere, rowOfContent } from './bundledAssets.ts';
import type { ContentHolds } from './contentHolds.ts';
import { isStored, type StoredFile } from './contentStore.ts';
import { bytesOf } from './fileBytes.ts';
import { planTasks } from './mediaTasks.ts';
import type { LibraryPlace } from './place.ts';
import { storeBody } from './storeBody.ts';

export interface BundledFilesDeps {
  store: Store;
  ids: Ids;
  place: LibraryPlace;
  holds: ContentHolds;
  bin: Pick<Bin, 'removeUnnamed'>;
}

/** Files that come in a bundle. Each is held from when it is stored, or found here, until it is let go. */
export class BundledFiles {
  private readonly deps: BundledFilesDeps;

  constructor(deps: BundledFilesDeps) {
    this.deps = deps;
  }

  /** Copies a file whose bytes were read before. Where the signal breaks it off, nothing of it stays. */
  storeHeld(file: string, sha256: string, signal?: AbortSignal): Promise<Result<StoredFile>> {
    const { place, ids, holds } = this.deps;
    return storeBody(place, ids.id('in'), bytesOf(file, signal ? { signal } : {}), { sound: true, sha256, holds });
  }

  /** The bytes with this hash, if they are on this disk. */
  holdContent(sha256: string): StoredFile | undefined {
    const { store, place, holds } = this.deps;
    const row = rowOfContent(store.read, sha256);
    if (!row || place.fault() !== undefined) return undefined;
    const { mime, width, height, bytes, seconds, audio } = row;
    const file = {
      ...{ sha256, bytes, mime, width, height, extension: extensionOf(mime) },
      ...(seconds === null ? {} : { seconds }),
      ...(audio === null ? {} : { audio: audio === 1 }),
    };
    if (!isStored(place.home, file)) return undefined;
    holds.hold(file);
    return file;
  }

  /** Records an asset of the project that is being written. */
  record(db: WriteDb, asset: AssetOfElsewhere, hasFrame: boolean): void {
    insertElsewhere(db, asset);
    const { id, file, role } = asset;
    if (file) planTasks(db, { id, mime: file.mime, role }, () => this.deps.ids.id('mt'));
    if (hasFrame) frameIsThere(db, id);
  }

  /** Ends the hold of a file; one that no row names is removed. */
  letGo(file: StoredFile): void {
    this.deps.holds.release(file);
    this.removeUnnamed(file);
  }

  removeUnnamed(file: Pick<StoredFile, 'sha256' | 'mime'>): void {
    this.deps.bin.removeUnnamed(file);
  }
}
