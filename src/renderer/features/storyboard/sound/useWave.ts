import type { Asset } from '../../../../shared/asset.ts';

/** Peaks of a sound over its length, 0 to 255; undefined while they are not measured. */
export const useWave = (_asset: Asset | undefined): readonly number[] | undefined => undefined;
