import type { AssetRole } from '../../../shared/library/asset.ts';
import type { Clock, Ids } from '../ports.ts';
import type { NewAsset } from './assetColumns.ts';
import type { StoredFile } from './contentStore.ts';

/** The asset that a file of the user's is recorded as. */
export const importedAsset =
  ({ ids, clock }: { ids: Ids; clock: Clock }, name: string, role: AssetRole = 'source') =>
  (file: StoredFile): NewAsset => ({ id: ids.id('as'), state: 'local', role, name, file, createdAt: clock.now() });
