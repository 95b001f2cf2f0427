import type { Asset } from './asset.ts';

/** One asset that another was made from, or that was made from it. */
export interface AncestryStep {
  /**
   * `parent`: the clip of a frame; `putBack`: the edit whose original was composited outside the mask; else the request field: `image`,
   * `base`, `referenceImages.0` …
   */
  field: string;
  /** The next asset towards the one that was asked about. */
  of: string;
  /** The distance to the asset that was asked about. */
  depth: number;
  /** Absent if it is not, or no longer, in this library. */
  asset?: Asset;
  /** How the request named a missing one. */
  assetId?: string;
  jobId?: string;
  uri?: string;
}

/** Nearest first. */
export interface Ancestry {
  from: AncestryStep[];
  made: AncestryStep[];
  /** Not all are listed, on one or both sides. */
  truncated?: true;
  /** The sides that are cut. */
  cut?: ('from' | 'made')[];
}

/** The most steps on each side. */
export const MAX_ANCESTRY_STEPS = 200;
export const MAX_ANCESTRY_DEPTH = 20;
