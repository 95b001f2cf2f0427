import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import { type Edit, editListsOf, isShownAt, lastShownBefore, startOf } from '../../shared/film/editList.ts';

/** What a player shows of a clip, in its own seconds. */
export interface ShownPart {
  /** Where it begins to play: from there on the first frame is shown, also where the sound begins before it. */
  start: number;
  /** Where the first frame begins that is shown. */
  from: number;
  /** Of its pictures; undefined where they have no edit list, and all of them are shown. */
  edit: Edit | undefined;
  /** Of its edit lists, the most. */
  pieces: number;
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
  const edits = await editListsOf(read, bytes.size);
  const tracks = await video.input.getTracks();
  const edit = edits.get(video.id);
  const from = await firstShown(video, edit);
  return {
    start: from - (edit?.from ?? 0) + startOf(edits, tracks),
    from,
    edit,
    pieces: Math.max(...tracks.map(({ id }) => edits.get(id)?.pieces ?? 1)),
    last: edit ? lastShownBefore(edit) : Number.POSITIVE_INFINITY,
  };
}

async function firstShown(video: InputVideoTrack, edit: Edit | undefined): Promise<number> {
  const first = await video.getFirstTimestamp();
  if (isShownAt(first, edit)) return first;
  const shown = (await timesOf(video)).filter((time) => isShownAt(time, edit));
  return shown.reduce((least, time) => Math.min(least, time), shown[0] ?? first);
}
