import type { Asset } from './asset.ts';

/** One thing that an asset was made from, or that was made from it. */
export interface AncestryStep {
  /** `parent` for the clip that a frame was taken from, `putBack` for the edit whose original was put back outside; else the field of the request that was sent: `image`, `base`, `referenceImages.0` … */
  field: string;
  /** The asset on the way to it, one step nearer to the asset that was asked about. */
  of: string;
  /** 1 for what is next to the asset that was asked about. */
  depth: number;
  /** Absent where it is in this library no longer, or never was. */
  asset?: Asset;
  /** Of what is not here: by what the request named it. */
  assetId?: string;
  jobId?: string;
  uri?: string;
}

/** Nearest first. */
export interface Ancestry {
  from: AncestryStep[];
  made: AncestryStep[];
  /** There are more than are listed, on one side or on both. */
  truncated?: true;
  /** The sides that have more than is listed. */
  cut?: ('from' | 'made')[];
}

/** Each side ends here. */
export const MAX_ANCESTRY_STEPS = 200;
export const MAX_ANCESTRY_DEPTH = 20;
