import fs from 'node:fs';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { elsewhereOf, type ImportedOrigin, type Sidecar } from '../../../../shared/library/sidecar.ts';
import { allOf, type ReadDb, sql, type WriteDb, withoutUnfinishedProject } from '../../store/index.ts';
import { type AssetRow, insertAsset } from '../assetColumns.ts';
import { applySidecarMarks } from '../assetMarks.ts';
import { assetById, assetRow, makeLocal } from '../assetTable.ts';
import type { Bin } from '../bin/bin.ts';
import { planTasks } from '../mediaTasks.ts';
import type { ContentInUse, StoredFile } from './contentStore.ts';
import type { LibraryDeps } from './diskSpace.ts';
import { storeBody } from './storeBody.ts';
import { userBytes } from './timedReads.ts';
import { cleanName } from './uploadChecks.ts';

export interface ForeignFilesDeps extends Pick<LibraryDeps, 'store' | 'clock' | 'ids' | 'location' | 'emit'> {
  inUse: ContentInUse;
  bin: Pick<Bin, 'recorded'>;
}

const saveWords = sql(
  'assets.describe',
  `UPDATE assets SET elsewhere = $elsewhere, name = $name, model = $model, verdict = $verdict, role = $role
   WHERE id = $id AND elsewhere IS NULL AND job_id IS NULL`,
);

/** The asset with these bytes on this disk. Assets of a project that is still being written are left out, because they may not stay. */
export const contentHere = (db: ReadDb, sha256: string): AssetRow | undefined =>
  firstWith(db, sha256, "state = 'local'");

/** Also finds an asset that has lost these bytes and is to be downloaded again, or could not be. */
const onceHere = (db: ReadDb, sha256: string): AssetRow | undefined => firstWith(db, sha256, 'emptied = 0');

/** The first asset with these bytes, those on this disk first. An asset in the bin does not count; its file is imported again. */
function firstWith(db: ReadDb, sha256: string, more: string): AssetRow | undefined {
  const isShown = "sha256 = $sha256 AND role <> 'thumbnail' AND binned_at IS NULL";
  const { where, params } = allOf(isShown, more, withoutUnfinishedProject(db, '+project_id'));
  const first = sql('assets.withHash', `SELECT * FROM assets a WHERE ${where} ORDER BY state <> 'local', seq LIMIT 1`);
  return db.one<AssetRow>(first, { sha256, ...params });
}

/** Bytes to import, with the facts known before. */
interface Incoming {
  name: string;
  sha256: string;
  sidecar?: Sidecar | undefined;
  /** The known asset with these bytes has lost its file. */
  isLost: boolean;
}

/** Files that were made elsewhere, with what their sidecars say of that. */
export class ForeignFiles {
  private readonly deps: ForeignFilesDeps;

  constructor(deps: ForeignFilesDeps) {
    this.deps = deps;
  }

  /** The asset that has, or had, these bytes. */
  existingAsset(sha256: string): AssetRow | undefined {
    return onceHere(this.deps.store.read, sha256);
  }

  elsewhere(id: string): ImportedOrigin | undefined {
    const row = assetRow(this.deps.store.read, id);
    return row?.elsewhere ? (JSON.parse(row.elsewhere) as ImportedOrigin) : undefined;
  }

  /** Copies a file, as {@link importBytes} does. Where the signal breaks it off, nothing of it stays. */
  bringIn(file: string, incoming: Incoming, signal?: AbortSignal): Promise<Result<{ asset: Asset; isNew: boolean }>> {
    return this.importBytes(userBytes(file, { flags: NO_FOLLOW, signal }), incoming);
  }

  /**
   * Stores bytes that were verified before. If an asset has them by now, that asset is the answer and nothing is duplicated; an asset that
   * had lost them gets them back.
   */
  async importBytes(
    body: AsyncIterable<Uint8Array>,
    { name, sha256, sidecar, isLost }: Incoming,
  ): Promise<Result<{ asset: Asset; isNew: boolean }>> {
    const { store, ids, location, inUse, bin, emit } = this.deps;
    const stored = await storeBody(location, ids.id('in'), body, { sound: true, sha256, inUse });
    if (!stored.ok) return stored;
    const { id, isNew, planned } = await bin.recorded(stored.data, () =>
      store.transaction((db) => {
        const held = onceHere(db, sha256);
        if (held) return { id: held.id, isNew: false, planned: isLost && this.restore(db, held, stored.data) };
        return { isNew: true, ...this.insert(db, { name, file: stored.data, sidecar }) };
      }),
    );
    if (planned) emit({ type: 'media.work' });
    const asset = assetById(store.read, id);
    return asset ? ok({ asset, isNew }) : noSuchAsset;
  }

  /** Plans the tasks that could not run while the bytes were missing. */
  private restore(db: WriteDb, { id, role }: AssetRow, file: StoredFile): boolean {
    return makeLocal(db, id, file) && planTasks(db, { id, mime: file.mime, role }, () => this.deps.ids.id('mt'));
  }

  private insert(
    db: WriteDb,
    { name, file, sidecar }: { name: string; file: StoredFile; sidecar: Sidecar | undefined },
  ): { id: string; planned: boolean } {
    const { ids, clock } = this.deps;
    const id = ids.id('as');
    const role = roleOf(sidecar);
    const { verdict } = sidecar ?? {};
    const model = sidecar?.made.model;
    insertAsset(db, {
      id,
      state: 'local',
      role,
      name: nameOf(sidecar) ?? cleanName(name),
      file,
      createdAt: clock.now(),
      ...(model ? { model } : {}),
      ...(verdict ? { verdict } : {}),
      ...(sidecar ? { elsewhere: elsewhereOf(sidecar) } : {}),
    });
    if (sidecar) applySidecarMarks(db, id, sidecar);
    return { id, planned: planTasks(db, { id, mime: file.mime, role }, () => ids.id('mt')) };
  }

  /**
   * Adds the description of a sidecar to a file that was imported without one. Files made here, and files with a description, are not
   * changed.
   */
  describe(id: string, sidecar: Sidecar): Result<Asset> {
    const row = assetRow(this.deps.store.read, id);
    if (!row) return noSuchAsset;
    if (row.elsewhere === null && row.job_id === null)
      this.deps.store.transaction((db) => {
        db.run(saveWords, {
          id,
          elsewhere: JSON.stringify(elsewhereOf(sidecar)),
          name: nameOf(sidecar) ?? row.name,
          model: sidecar.made.model ?? row.model,
          verdict: sidecar.verdict ?? row.verdict,
          role: row.role === 'source' ? roleOf(sidecar) : row.role,
        });
        applySidecarMarks(db, id, sidecar);
      });
    const asset = assetById(this.deps.store.read, id);
    return asset ? ok(asset) : noSuchAsset;
  }
}

/** If the system supports it, a link that was created since the folder was read is not followed. */
const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0;

const noSuchAsset = fail('not_found', 'There is no such asset.');

const nameOf = (sidecar: Sidecar | undefined): string | undefined =>
  sidecar?.name === undefined ? undefined : cleanName(sidecar.name);

/** Only roles that need no job; a result from elsewhere becomes a plain file of the user. */
const roleOf = (sidecar: Sidecar | undefined): 'source' | 'mask' | 'frame' =>
  sidecar?.role === 'mask' || sidecar?.role === 'frame' ? sidecar.role : 'source';
