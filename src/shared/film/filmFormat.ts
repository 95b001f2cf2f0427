import { z } from 'zod';
import { type VideoConfig, videoConfigSchema } from '../kinds/videoConfig.ts';

/** The picture format of a film; unset fields follow its first shot. */

const { aspectRatio, resolution } = videoConfigSchema.shape;
export const filmFormatSchema = z.strictObject({ aspectRatio, resolution });
export type FilmFormatChoice = z.infer<typeof filmFormatSchema>;

export interface FilmFrame {
  aspectRatio: '16:9' | '9:16';
  resolution: '720p' | '1080p';
  /** Pixels. */
  width: number;
  height: number;
}

/** The number in a resolution is the shorter side (spec 2.3). */
const SHORT_SIDE = { '720p': 720, '1080p': 1080 } as const;

interface FramedShots {
  format?: FilmFormatChoice | undefined;
  shots: readonly { skipped?: boolean | undefined; config: VideoConfig }[];
}

export function filmFrameOf(board: FramedShots): FilmFrame {
  const first = board.shots.find((shot) => !shot.skipped)?.config;
  const aspect = board.format?.aspectRatio ?? first?.aspectRatio ?? '16:9';
  const lines = board.format?.resolution ?? first?.resolution ?? '720p';
  const short = SHORT_SIDE[lines];
  const long = (short * 16) / 9;
  const [width, height] = aspect === '16:9' ? [long, short] : [short, long];
  return { aspectRatio: aspect, resolution: lines, width, height };
}

/** Sound of an encoded film, bits per second. */
export const FILM_SOUND_BITRATE = 192_000;

type Size = Pick<FilmFrame, 'width' | 'height'>;

/** The encoded size: H.264 in 4:2:0 has one colour sample for two pixels each way, so odd sides grow by one. */
export const encodedSize = ({ width, height }: Size): Size => ({
  width: width + (width % 2),
  height: height + (height % 2),
});
