import { z } from 'zod';
import { id } from '../contract/paging.ts';
import type { MoviePlan } from './filmExport.ts';

/** How an MP4 is made: `auto` joins without encoding where the streams match, `join` does so or refuses, `encode` always encodes. */
export type FilmMode = 'auto' | 'join' | 'encode';

/** What a copy says about itself, inside the file. */
export interface FilmProvenance {
  /** Our own JSON, under {@link PROVENANCE_KEY}. */
  json: string;
  /** An XMP packet that names the digital source type; goes in a box of its own at the end of the file. */
  xmp: string;
}

/** The QuickTime `mdta` key of our JSON. */
export const PROVENANCE_KEY = 'com.dailies.provenance';

/** A film for the media page to make. */
export interface FilmTask {
  /** New for every claim: a page that has lost the task writes nothing any more. */
  id: string;
  plan: MoviePlan;
  mode: FilmMode;
  /** The project's name; the film's own where it has none. */
  title?: string;
  provenance?: FilmProvenance;
}

/** Largest piece of a film that is written at once, in bytes. */
export const FILM_PIECE_BYTES = 4 * 1024 * 1024;

/** What the media page says of a film that it has made; the studio reads the file itself before it believes it. */
export const filmReportSchema = z.strictObject({
  mode: z.enum(['join', 'encode']),
  /** One sentence for each thing that the user should know, such as why the film was encoded. */
  why: z.array(z.string().max(300)).max(20),
});
export type FilmReport = z.infer<typeof filmReportSchema>;

/** Progress from 0 to 100. */
export const filmBeatSchema = z.strictObject({
  taskId: id,
  progress: z.number().min(0).max(100),
});
export const filmFinishSchema = z.strictObject({
  taskId: id,
  report: filmReportSchema.optional(),
  error: z.string().max(1_000).optional(),
});
