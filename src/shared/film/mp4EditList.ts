/**
 * The edit lists of MP4 and MOV (ISO/IEC 14496-12, 8.6.6). Players show only what they select; a file may hold more, such as frames before a
 * cut that later ones are decoded from.
 */

/** Up to `length` bytes of a file, from `at` on. */
type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;

/** The shown part of a track, in seconds of the movie. */
export interface EditListEntry {
  /** After the initial pause, if there is one. */
  from: number;
  /** Infinite if the list does not say. */
  to: number;
  /** The number of consecutive parts. Only the first of several is followed. */
  pieces: number;
}

/** By track id. */
export type EditLists = ReadonlyMap<number, EditListEntry>;

/** A file has some tens of boxes; a hostile one has more. */
const MAX_BOXES = 2_000;
const MAX_ENTRIES = 16;

/** Empty for other formats and for unreadable lists. */
export async function editListsOf(read: ReadBytes, size: number): Promise<EditLists> {
  return listsIn(new Boxes(read), size).catch(() => new Map());
}

async function listsIn(boxes: Boxes, size: number): Promise<EditLists> {
  const lists = new Map<number, EditListEntry>();
  const movie = await boxes.find({ start: 0, end: size }, ['moov']);
  const header = movie && (await boxes.find(movie, ['mvhd']));
  if (!header) return lists;
  const timescale = fieldOf(await boxes.head(header, 24));
  for await (const track of boxes.in(movie)) {
    const list = track.type === 'trak' && (await boxes.find(track, ['edts', 'elst']));
    const about = list && (await boxes.find(track, ['tkhd']));
    if (!list || !about || timescale === 0) continue;
    const edit = editOf(await boxes.head(list, 8 + 20 * MAX_ENTRIES), timescale);
    lists.set(fieldOf(await boxes.head(about, 24)), edit);
  }
  return lists;
}

/** The field after the two times of a header: a movie's timescale, a track's id (8.2.2, 8.3.2). */
const fieldOf = (header: DataView): number => header.getUint32(header.getUint8(0) === 1 ? 20 : 12);

function editOf(list: DataView, timescale: number): EditListEntry {
  const stated = list.getUint32(4);
  const entries = entriesOf(list, stated);
  let [from, to, pieces] = [0, Number.POSITIVE_INFINITY, 0];
  for (const { duration, isPause } of entries) {
    if (!isPause) {
      pieces += 1;
      if (duration > 0) to = from + duration / timescale;
    } else if (pieces === 0) from += duration / timescale;
  }
  if (entries.length < stated) pieces = stated;
  return { from, to: pieces === 1 ? to : Number.POSITIVE_INFINITY, pieces };
}

/** The entries that are present, at most `stated`; in the movie's timescale. */
function entriesOf(list: DataView, stated: number): { duration: number; isPause: boolean }[] {
  const isLong = list.getUint8(0) === 1;
  const width = isLong ? 20 : 12;
  const count = Math.min(stated, Math.floor((list.byteLength - 8) / width));
  return Array.from({ length: count }, (_, entry) => {
    const at = 8 + entry * width;
    const duration = isLong ? Number(list.getBigUint64(at)) : list.getUint32(at);
    const start = isLong ? list.getBigInt64(at + 8) : list.getInt32(at + 4);
    return { duration, isPause: Number(start) === -1 };
  });
}

/** The start of a clip, which is that of its first track. */
export const startOf = (edits: EditLists, tracks: readonly { id: number }[]): number =>
  Math.min(...tracks.map(({ id }) => edits.get(id)?.from ?? 0));

interface Box {
  type: string;
  start: number;
  end: number;
}

class Boxes {
  private readonly read: ReadBytes;
  private left = MAX_BOXES;

  constructor(read: ReadBytes) {
    this.read = read;
  }

  async *in({ start, end }: Pick<Box, 'start' | 'end'>): AsyncGenerator<Box> {
    for (let at = start; at + 8 <= end && this.left > 0; this.left -= 1) {
      const head = viewOf(await this.read(at, 16));
      if (head.byteLength < 8) return;
      const short = head.getUint32(0);
      const isLong = short === 1 && head.byteLength === 16;
      const size = isLong ? Number(head.getBigUint64(8)) : short === 0 ? end - at : short;
      const header = isLong ? 16 : 8;
      if (size < header || at + size > end) return;
      const type = String.fromCharCode(...[4, 5, 6, 7].map((byte) => head.getUint8(byte)));
      yield { type, start: at + header, end: at + size };
      at += size;
    }
  }

  async find(parent: Pick<Box, 'start' | 'end'>, [name, ...rest]: readonly string[]): Promise<Box | undefined> {
    for await (const box of this.in(parent)) {
      if (box.type === name) return rest.length === 0 ? box : this.find(box, rest);
    }
    return undefined;
  }

  /** The first bytes of the content, at most `most`. */
  async head({ start, end }: Box, most: number): Promise<DataView> {
    return viewOf(await this.read(start, Math.min(most, end - start)));
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** In seconds: lists and frames have timescales of their own, of a millisecond at the coarsest. */
const ROUNDING = 0.0015;

/** Whether a frame that begins at this second is shown; without an edit list, each is. */
export const isShownAt = (second: number, edit: EditListEntry | undefined): boolean =>
  edit === undefined || (second > edit.from - ROUNDING && second < lastShownBefore(edit));

/** No frame that begins after this is shown. */
export const lastShownBefore = ({ to }: EditListEntry): number => to - ROUNDING;
