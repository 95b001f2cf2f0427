import type { FilmPlan } from '../../../shared/filmExport.ts';
import type { Result } from '../../../shared/result.ts';
import type { Made } from '../exports/index.ts';

/** What a made film says about itself, inside the file. */
export interface EmbeddedProvenance {
  /** Our JSON (`shared/provenance.ts`), for a metadata key of our own. */
  json: string;
  /** An XMP packet that names the digital source type. */
  xmp: string;
}

export interface MovieOptions {
  /** `auto` joins without encoding where the streams match, `join` does so or refuses, `encode` always encodes. */
  mode: 'auto' | 'join' | 'encode';
  /** Where to write the MP4; the folder is there, the file is not. The caller reads it back and names it. */
  partPath: string;
  provenance?: EmbeddedProvenance;
  /** 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Makes one MP4 of a plan. */
export interface MovieMaker {
  make(plan: FilmPlan, options: MovieOptions): Promise<Result<Made>>;
}
