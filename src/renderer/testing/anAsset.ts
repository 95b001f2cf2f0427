import type { Asset } from '../../shared/library/asset.ts';

/** A picture that was made; what a test looks at is given. */
export function anAsset(more: Partial<Asset> = {}): Asset {
  return {
    id: 'asset_1',
    revision: 1,
    sha256: 'ab'.repeat(32),
    mime: 'image/png',
    width: 1456,
    height: 816,
    bytes: 2_000,
    state: 'local',
    role: 'output',
    name: 'Harbour',
    createdAt: Date.now(),
    ...more,
  };
}
