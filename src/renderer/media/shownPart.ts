import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import { editEndsOf, isShownAt, lastShownBefore } from '../../shared/editList.ts';

/** What a player shows of a clip, in its own seconds. */
export interface ShownPart {
  /** Where the first frame begins that is shown. */
  from: number;
  /** Where its edit list ends; undefined where it has none, and all of it is shown. */
  to: number | undefined;
  /** The last frame that is shown is what is seen then. Endless where all of it is shown. */
  last: number;
}

/** Packets that claim to be key frames are not looked into: here their times are enough. */
const TIMES_ONLY = { metadataOnly: true } as const;
/** As many frames as an hour has at 120 a second: a file may claim any number. */
const MAX_FRAMES = 432_000;

/** When the frames of a track begin, in the order of decoding. */
export async function timesOf(video: InputVideoTrack): Promise<number[]> {
  const times: number[] = [];
  for await (const packet of new EncodedPacketSink(video).packets(undefined, undefined, TIMES_ONLY)) {
    times.push(packet.timestamp);
    if (times.length > MAX_FRAMES) throw new Error('it has too many frames.');
  }
  return times;
}

export async function shownPartOf(video: InputVideoTrack, bytes: Blob): Promise<ShownPart> {
  const read = async (at: number, length: number) =>
    new Uint8Array(await bytes.slice(at, Math.min(bytes.size, at + length)).arrayBuffer());
  const to = (await editEndsOf(read, bytes.size)).get(video.id);
  const last = to === undefined ? Number.POSITIVE_INFINITY : lastShownBefore(to);
  const first = await video.getFirstTimestamp();
  if (isShownAt(first, to)) return { from: first, to, last };
  const shown = (await timesOf(video)).filter((time) => isShownAt(time, to));
  return { from: shown.reduce((least, time) => Math.min(least, time), shown[0] ?? first), to, last };
}
