import { z } from 'zod';
import { frameSeriesSchema } from './frameSeries.ts';
import { CHANNEL_LAYOUTS, type ChannelLayout } from './sound/layout.ts';

/**
 * Measures of a clip or sound by the media page: level, first and last second, and faults in between. Stored by content hash; the schema
 * bounds what the page may send.
 */

export const GRID_SIDE = 32;
/** Longer files are not measured, in seconds. */
export const MEASURED_AT_MOST_S = 600;
/** Distance of momentary loudness values, in seconds (EBU Tech 3341: at least 10 a second). */
export const MOMENTARY_STEP_S = 0.1;
/** Length of one point of an edge's waveform, in seconds. */
export const WAVE_STEP_S = 0.0125;
/** How much of each end is measured frame by frame, in seconds. */
export const EDGE_S = 1;

/** Up to this share of full scale a sample is silence: −60 dB, the default of FFmpeg's `silencedetect`. */
export const SILENT_BELOW = 0.001;
/** Shorter silences are not stored, in seconds. */
export const SHORTEST_SILENCE_S = 0.1;
/** From here on a sample is at full scale: the largest value of 16 bits. */
export const FULL_SCALE = 32_767 / 32_768;
/** The longest silences and the longest clippings that are stored, each. */
export const MOST_SOUND_FAULTS = 100;

const EDGE_FRAMES = 130;
const channel = z.number().min(-200).max(200);
const seconds = z.number().min(0).max(MEASURED_AT_MOST_S);
/** In LUFS or dB; null for silence. */
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

/** The cells of a frame by row, 8 bits of red, green and blue each, as base64. */
const gridSchema = z.base64().length((GRID_SIDE * GRID_SIDE * 3 * 4) / 3);

const picturesSchema = z.strictObject({
  width: z.number().int().min(1).max(65_535),
  height: z.number().int().min(1).max(65_535),
  frames: z.number().int().min(1).max(1_000_000),
  fps: z.number().min(0).max(1_000),
  first: gridSchema,
  last: gridSchema,
  /** Frames of the first and of the last second, in order. */
  start: z.array(frameSchema).min(1).max(EDGE_FRAMES),
  end: z.array(frameSchema).min(1).max(EDGE_FRAMES),
  /** Absent for a picture. */
  series: frameSeriesSchema.optional(),
});

const soundSchema = z.strictObject({
  layout: z.enum(Object.keys(CHANNEL_LAYOUTS) as [ChannelLayout, ...ChannelLayout[]]).optional(),
  /** Integrated loudness, gated (ITU-R BS.1770-4), in LUFS. */
  lufs: level,
  /** True peak in dBTP. */
  truePeakDb: level,
  /** Loudness of 400 ms, every 100 ms from the start on, in LUFS. */
  momentary: z.array(level).max(MEASURED_AT_MOST_S / MOMENTARY_STEP_S + 1),
  /** Peaks, 255 is full scale: of the whole file, its first and its last second. */
  wave: z.array(peak).max(600),
  waveStart: z.array(peak).max(EDGE_S / WAVE_STEP_S),
  waveEnd: z.array(peak).max(EDGE_S / WAVE_STEP_S),
  /** Where all channels are at or below {@link SILENT_BELOW}, in seconds, in order. */
  silent: z.array(z.tuple([seconds, seconds])).max(MOST_SOUND_FAULTS),
  /** Where two or more consecutive samples of a channel reach {@link FULL_SCALE}: the second and the number of samples, in order. */
  clipped: z.array(z.tuple([seconds, z.int().min(2)])).max(MOST_SOUND_FAULTS),
});
export type SoundMeasures = z.infer<typeof soundSchema>;

export const mediaMeasuresSchema = z.strictObject({
  seconds,
  /** Absent for a sound. */
  pictures: picturesSchema.optional(),
  /** Absent without readable sound. */
  sound: soundSchema.optional(),
  /** Why the sound could not be measured, in one sentence. */
  soundFault: z.string().min(1).max(300).optional(),
  tookMs: z.int().min(0).max(3_600_000).optional(),
});
export type MediaMeasures = z.infer<typeof mediaMeasuresSchema>;

/** The measures of one file, or why there are none (yet). */
export type MeasuredFile =
  | { state: 'measured'; measures: MediaMeasures }
  | { state: 'waiting' }
  /** No such file on this disk, or nothing measurable in it. */
  | { state: 'missing' }
  | { state: 'failed'; message: string };
