import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import { type EditListEntry, editListsOf, isShownAt, lastShownBefore, startOf } from '../../shared/film/mp4EditList.ts';

/** The part of a clip that players show, in its own seconds. */
export interface ShownPart {
  /** The start of playback: the first frame is shown from here on, even if sound begins before it. */
  start: number;
  /** The start of the first shown frame. */
  from: number;
  /** The edit of its pictures; undefined without an edit list, when all are shown. */
  edit: EditListEntry | undefined;
  /** The most edits of its tracks. */
  pieces: number;
  /** The last shown frame is the one at this time. Infinity if all are shown. */
  last: number;
}

/** Here packet times are enough; key frames are not verified. */
const TIMES_ONLY = { metadataOnly: true } as const;
/** The frames of an hour at 120 per second: a file may claim any number. */
const MAX_FRAMES = 432_000;

/** The start times of a track's frames, in decoding order. */
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

async function firstShown(video: InputVideoTrack, edit: EditListEntry | undefined): Promise<number> {
  const first = await video.getFirstTimestamp();
  if (isShownAt(first, edit)) return first;
  const shown = (await timesOf(video)).filter((time) => isShownAt(time, edit));
  return shown.reduce((least, time) => Math.min(least, time), shown[0] ?? first);
}
