import type { Result } from '../../../shared/contract/result.ts';
import { extensionOf } from '../../../shared/library/mediaFormats.ts';
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
import type { Verifier } from './verifier.ts';

export interface BundledFilesDeps {
  store: Store;
  ids: Ids;
  place: LibraryPlace;
  holds: ContentHolds;
  bin: Pick<Bin, 'removeUnnamed'>;
  /** What it found damaged comes in again. */
  verifier: Pick<Verifier, 'isContentDamaged' | 'storedAnew'>;
}

/** Files that come in a bundle. Each is held from when it is stored, or found here, until it is let go. */
export class BundledFiles {
  private readonly deps: BundledFilesDeps;

  constructor(deps: BundledFilesDeps) {
    this.deps = deps;
  }

  /** Copies a file whose bytes were read before. Where the signal breaks it off, nothing of it stays. */
  async storeHeld(file: string, sha256: string, signal?: AbortSignal): Promise<Result<StoredFile>> {
    const { place, ids, holds, verifier } = this.deps;
    const body = bytesOf(file, signal ? { signal } : {});
    const stored = await storeBody(place, ids.id('in'), body, { sound: true, unreadable: true, sha256, holds });
    if (stored.ok) verifier.storedAnew(sha256);
    return stored;
  }

  holdContent(sha256: string): Promise<StoredFile | undefined> {
    const { holds } = this.deps;
    return holds.inTurn(async () => {
      const file = await this.storedContent(sha256);
      if (file) holds.hold(file);
      return file;
    });
  }

  /** The bytes with this hash, if they are on this disk and the last check did not find them damaged. */
  async storedContent(sha256: string): Promise<StoredFile | undefined> {
    const { store, place, verifier } = this.deps;
    const row = rowOfContent(store.read, sha256);
    if (!row || place.fault() !== undefined) return undefined;
    const { mime, width, height, bytes, seconds, audio } = row;
    const file = {
      ...{ sha256, bytes, mime, width, height, extension: extensionOf(mime) },
      ...(seconds === null ? {} : { seconds }),
      ...(audio === null ? {} : { audio: audio === 1 }),
    };
    return (await isStored(place.home, file)) && !verifier.isContentDamaged(sha256) ? file : undefined;
  }

  /** Records an asset of the project that is being written. */
  record(db: WriteDb, asset: AssetOfElsewhere, hasFrame: boolean): void {
    insertElsewhere(db, asset);
    const { id, file, role } = asset;
    if (file) planTasks(db, { id, mime: file.mime, role }, () => this.deps.ids.id('mt'));
    if (hasFrame) frameIsThere(db, id);
  }

  /** Ends the hold of a file; one that no row names is removed. */
  letGo(file: StoredFile): Promise<void> {
    this.deps.holds.release(file);
    return this.removeUnnamed(file);
  }

  removeUnnamed(file: Pick<StoredFile, 'sha256' | 'mime'>): Promise<void> {
    return this.deps.bin.removeUnnamed(file);
  }
}
