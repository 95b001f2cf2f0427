import { z } from 'zod';
import { id } from '../contract/paging.ts';
import type { MoviePlan } from './filmExport.ts';

/** How an MP4 is made: `auto` joins without encoding if the streams match, `join` does so or refuses, `encode` always encodes. */
export type FilmMode = 'auto' | 'join' | 'encode';

/** Provenance inside an exported file. */
export interface FilmProvenance {
  /** Our own JSON, under {@link PROVENANCE_KEY}. */
  json: string;
  /** An XMP packet with the digital source type, in a box at the end of the file. */
  xmp: string;
}

/** The QuickTime `mdta` key of our JSON. */
export const PROVENANCE_KEY = 'com.dailies.provenance';

export interface FilmTask {
  /** New with every claim: a page that lost the task can write nothing more. */
  id: string;
  plan: MoviePlan;
  mode: FilmMode;
  title?: string;
  provenance?: FilmProvenance;
}

/** The largest write of film bytes. */
export const FILM_PIECE_BYTES = 4 * 1024 * 1024;

/** The media page's report; the studio verifies the file itself. */
export const filmReportSchema = z.strictObject({
  mode: z.enum(['join', 'encode']),
  /** Remarks for the user, such as why the film was encoded. */
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
