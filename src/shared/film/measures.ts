import { z } from 'zod';
import { frameSeriesSchema } from './frameSeries.ts';
import { CHANNEL_LAYOUTS, type ChannelLayout } from './sound/layout.ts';

/**
 * What the media page measures of a clip or a sound, as numbers: its level, what its first and its last second look like, and what may be
 * wrong in between. Kept by content hash; the schema bounds everything that the page may send.
 */

/** Side of the grid of cells that a frame is compared by. */
export const GRID_SIDE = 32;
/** Longer files are not measured, in seconds. */
export const MEASURED_AT_MOST_S = 600;
/** Time between two windows of momentary loudness, in seconds (EBU Tech 3341: at least 10 a second). */
export const MOMENTARY_STEP_S = 0.1;
/** Length of one point of an edge's wave, in seconds. */
export const WAVE_STEP_S = 0.0125;
/** How much of a file's start and end is measured frame by frame, in seconds. */
export const EDGE_S = 1;

/** A sample up to this counts as silence, of full scale: −60 dB, the default of FFmpeg's `silencedetect`. */
export const SILENT_BELOW = 0.001;
/** Shorter silence is not kept, in seconds. */
export const SHORTEST_SILENCE_S = 0.1;
/** A sample from this on is at full scale: the greatest value of 16 bits. */
export const FULL_SCALE = 32_767 / 32_768;
/** How many pieces of silence, and how many of clipping, are kept: the longest ones. */
export const MOST_SOUND_FAULTS = 100;

const EDGE_FRAMES = 130;
const channel = z.number().min(-200).max(200);
const seconds = z.number().min(0).max(MEASURED_AT_MOST_S);
/** In LUFS or dB; silence, which has none, is null. */
const level = z.number().min(-200).max(100).nullable();
const peak = z.number().min(0).max(255).int();

/** Mean CIE L*a*b* (D65) of a frame. */
const labSchema = z.tuple([z.number().min(0).max(101), channel, channel]);
export type Lab = z.infer<typeof labSchema>;

const frameSchema = z.strictObject({
  /** Seconds since the start of the file. */
  at: seconds,
  lab: labSchema,
  /** Mean absolute difference from the frame before it, 0 to 1; null at a file's first frame. */
  change: z.number().min(0).max(1).nullable(),
});
export type FrameMeasure = z.infer<typeof frameSchema>;

/** The cells of a frame, row by row, red, green and blue of 8 bits each, as base64. */
const gridSchema = z.base64().length((GRID_SIDE * GRID_SIDE * 3 * 4) / 3);

const picturesSchema = z.strictObject({
  width: z.number().int().min(1).max(65_535),
  height: z.number().int().min(1).max(65_535),
  frames: z.number().int().min(1).max(1_000_000),
  fps: z.number().min(0).max(1_000),
  first: gridSchema,
  last: gridSchema,
  /** Of the first and of the last second, in order of time. */
  start: z.array(frameSchema).min(1).max(EDGE_FRAMES),
  end: z.array(frameSchema).min(1).max(EDGE_FRAMES),
  /** Every frame that was looked at; a picture has none. */
  series: frameSeriesSchema.optional(),
});

const soundSchema = z.strictObject({
  /** What its channels are for. */
  layout: z.enum(Object.keys(CHANNEL_LAYOUTS) as [ChannelLayout, ...ChannelLayout[]]).optional(),
  /** Integrated loudness, gated (ITU-R BS.1770-4), in LUFS. */
  lufs: level,
  /** True peak in dBTP. */
  truePeakDb: level,
  /** Loudness of 400 ms, every 100 ms from the start on, in LUFS. */
  momentary: z.array(level).max(MEASURED_AT_MOST_S / MOMENTARY_STEP_S + 1),
  /** Peaks, 255 is full scale: of the whole file, of its first and of its last second. */
  wave: z.array(peak).max(600),
  waveStart: z.array(peak).max(EDGE_S / WAVE_STEP_S),
  waveEnd: z.array(peak).max(EDGE_S / WAVE_STEP_S),
  /** Where all channels stay at or below {@link SILENT_BELOW}, in seconds, in order of time. */
  silent: z.array(z.tuple([seconds, seconds])).max(MOST_SOUND_FAULTS),
  /** Where two or more samples in a row of a channel are at {@link FULL_SCALE}: when, in seconds, and how many, in order of time. */
  clipped: z.array(z.tuple([seconds, z.int().min(2)])).max(MOST_SOUND_FAULTS),
});
export type SoundMeasures = z.infer<typeof soundSchema>;

export const mediaMeasuresSchema = z.strictObject({
  seconds,
  /** Without any for a sound. */
  pictures: picturesSchema.optional(),
  /** Without any where the file has no sound, or none that can be read. */
  sound: soundSchema.optional(),
  /** Why the sound that is there could not be measured, in one sentence. */
  soundFault: z.string().min(1).max(300).optional(),
  /** How long measuring took, in milliseconds. */
  tookMs: z.int().min(0).max(3_600_000).optional(),
});
export type MediaMeasures = z.infer<typeof mediaMeasuresSchema>;

/** What is known of one file: its measures, or why there are none (yet). */
export type MeasuredFile =
  | { state: 'measured'; measures: MediaMeasures }
  | { state: 'waiting' }
  /** No such file on this disk, or nothing in it that can be measured. */
  | { state: 'missing' }
  | { state: 'failed'; message: string };
