/** How channels are mixed down to stereo, in measures, exports and playback alike. */

const DOWN_3_DB = Math.SQRT1_2;
/** A rear centre goes to both surrounds at −3 dB, and each of them to its side at −3 dB. */
const DOWN_6_DB = 0.5;

type Fold = readonly [left: readonly number[], right: readonly number[]];

/**
 * The gain of each channel on the left and on the right, in channel order (RFC 9639, 9.1.3, as decoders give them): the centre goes to both
 * sides at −3 dB, a surround to its side at −3 dB, LFE nowhere (ITU-R BS.775-3, annex 4); mono goes to both sides (Web Audio API, up-mixing
 * of speaker layouts).
 */
export const CHANNEL_LAYOUTS = {
  mono: [[1], [1]],
  stereo: [
    [1, 0],
    [0, 1],
  ],
  /** Left, right, centre. */
  '3.0': [
    [1, 0, DOWN_3_DB],
    [0, 1, DOWN_3_DB],
  ],
  /** Left, right, both surrounds. */
  quad: [
    [1, 0, DOWN_3_DB, 0],
    [0, 1, 0, DOWN_3_DB],
  ],
  /** Left, right, centre, rear centre. */
  '4.0': [
    [1, 0, DOWN_3_DB, DOWN_6_DB],
    [0, 1, DOWN_3_DB, DOWN_6_DB],
  ],
  /** Left, right, centre, both surrounds. */
  '5.0': [
    [1, 0, DOWN_3_DB, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, DOWN_3_DB],
  ],
  /** Left, right, centre, LFE, both surrounds. */
  '5.1': [
    [1, 0, DOWN_3_DB, 0, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, 0, DOWN_3_DB],
  ],
  /** As 5.1, with a rear centre before the side channels. */
  '6.1': [
    [1, 0, DOWN_3_DB, 0, DOWN_6_DB, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, DOWN_6_DB, 0, DOWN_3_DB],
  ],
  /** As 5.1, with two rear and two side channels. */
  '7.1': [
    [1, 0, DOWN_3_DB, 0, DOWN_3_DB, 0, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, 0, DOWN_3_DB, 0, DOWN_3_DB],
  ],
} as const satisfies Record<string, Fold>;
export type ChannelLayout = keyof typeof CHANNEL_LAYOUTS;

const BY_COUNT: readonly ChannelLayout[] = ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];

/** With more than eight channels only the first two are known to be left and right. `codec`: of the track. */
export function layoutOf(channels: number, codec: string | null): ChannelLayout {
  // AAC with four channels has left, right, centre and rear centre (ISO/IEC 14496-3, channel configuration 4).
  if (channels === 4 && codec === 'aac') return '4.0';
  return BY_COUNT[channels - 1] ?? 'stereo';
}
