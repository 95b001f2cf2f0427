import type { Result } from '../../../shared/contract/result.ts';
import type { MoviePlan } from '../../../shared/film/filmExport.ts';
import type { FilmMode, FilmProvenance } from '../../../shared/film/filmTask.ts';
import type { Made } from '../exports/index.ts';

export interface MovieOptions {
  /** `auto` joins without encoding where the streams match, `join` does so or refuses, `encode` always encodes. */
  mode: FilmMode;
  /** Where to write the MP4; the folder is there, the file is not. The caller reads it back and names it. */
  partPath: string;
  /** What its file says it is called. */
  title?: string;
  provenance?: FilmProvenance;
  /** Of a film of one clip, how long that clip's file is. */
  clipSeconds?: number | undefined;
  /** 0 to 1. */
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Makes one MP4 of a plan. */
export interface MovieMaker {
  make(plan: MoviePlan, options: MovieOptions): Promise<Result<Made>>;
  /** Pixels a second, where only the software encoder can encode a film and it was tried. */
  readonly encoderSpeed?: number | undefined;
}
