/** What the channels of a sound are for, and what two ears hear of them: measures, exports and playback all fold by this one table. */

const DOWN_3_DB = Math.SQRT1_2;
/** One channel behind the listener is shared out to both surrounds at −3 dB, and each of them to its side at −3 dB. */
const DOWN_6_DB = 0.5;

type Fold = readonly [left: readonly number[], right: readonly number[]];

/**
 * The gain of each channel on the left and on the right, in the order of the channels (RFC 9639, 9.1.3, as decoders give them): the centre
 * goes to both sides at −3 dB, a surround to its own side at −3 dB, the deep effects nowhere (ITU-R BS.775-3, annex 4); one channel alone
 * is heard on both sides (Web Audio API, up-mixing of speaker layouts).
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
  /** Left, right, and the two surrounds. */
  quad: [
    [1, 0, DOWN_3_DB, 0],
    [0, 1, 0, DOWN_3_DB],
  ],
  /** Left, right, centre, and one channel behind. */
  '4.0': [
    [1, 0, DOWN_3_DB, DOWN_6_DB],
    [0, 1, DOWN_3_DB, DOWN_6_DB],
  ],
  /** Left, right, centre, and the two surrounds. */
  '5.0': [
    [1, 0, DOWN_3_DB, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, DOWN_3_DB],
  ],
  /** Left, right, centre, deep effects, and the two surrounds. */
  '5.1': [
    [1, 0, DOWN_3_DB, 0, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, 0, DOWN_3_DB],
  ],
  /** As 5.1, with one channel behind before the two at the sides. */
  '6.1': [
    [1, 0, DOWN_3_DB, 0, DOWN_6_DB, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, DOWN_6_DB, 0, DOWN_3_DB],
  ],
  /** As 5.1, with two behind and two at the sides. */
  '7.1': [
    [1, 0, DOWN_3_DB, 0, DOWN_3_DB, 0, DOWN_3_DB, 0],
    [0, 1, DOWN_3_DB, 0, 0, DOWN_3_DB, 0, DOWN_3_DB],
  ],
} as const satisfies Record<string, Fold>;
export type ChannelLayout = keyof typeof CHANNEL_LAYOUTS;

const BY_COUNT: readonly ChannelLayout[] = ['mono', 'stereo', '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'];

/** Of more than eight channels nothing is known but that the first two are left and right. `codec` is that of the track. */
export function layoutOf(channels: number, codec: string | null): ChannelLayout {
  // Four channels of AAC are left, right, centre and one behind (ISO/IEC 14496-3, channel configuration 4).
  if (channels === 4 && codec === 'aac') return '4.0';
  return BY_COUNT[channels - 1] ?? 'stereo';
}
