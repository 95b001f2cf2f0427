/**
 * The edit lists of an MP4 or MOV (ISO/IEC 14496-12, 8.6.6): a player shows what they name and nothing else, though a file may hold more,
 * such as frames before a cut that the shown ones are decoded from.
 */

/** Up to `length` bytes of a file, from `at` on. */
type ReadBytes = (at: number, length: number) => Promise<Uint8Array>;

/** What of a track is shown, in seconds of the presentation: from 0 to this. Endless where the list does not say. */
export type EditEnds = ReadonlyMap<number, number>;

/** A file has some tens of boxes; a hostile one ends here. */
const MAX_BOXES = 2_000;
/** Lists with more entries, or with more than one piece of the track, are not followed. */
const MAX_ENTRIES = 16;

/** By the ids of the tracks that have an edit list. Empty for other formats, and where a list cannot be read. */
export async function editEndsOf(read: ReadBytes, size: number): Promise<EditEnds> {
  return endsIn(new Boxes(read), size).catch(() => new Map());
}

async function endsIn(boxes: Boxes, size: number): Promise<EditEnds> {
  const ends = new Map<number, number>();
  const movie = await boxes.find({ start: 0, end: size }, ['moov']);
  const header = movie && (await boxes.find(movie, ['mvhd']));
  if (!header) return ends;
  const timescale = fieldOf(await boxes.head(header, 24));
  for await (const track of boxes.in(movie)) {
    const list = track.type === 'trak' && (await boxes.find(track, ['edts', 'elst']));
    const about = list && (await boxes.find(track, ['tkhd']));
    if (!list || !about || timescale === 0) continue;
    const end = endOf(await boxes.head(list, 8 + 20 * MAX_ENTRIES));
    ends.set(fieldOf(await boxes.head(about, 24)), end / timescale);
  }
  return ends;
}

/** What stands behind the two times of a header: of a movie its timescale, of a track its id (8.2.2, 8.3.2). */
const fieldOf = (header: DataView): number => header.getUint32(header.getUint8(0) === 1 ? 20 : 12);

/** In the movie's timescale. */
function endOf(list: DataView): number {
  const [isLong, entries] = [list.getUint8(0) === 1, list.getUint32(4)];
  const width = isLong ? 20 : 12;
  let end = 0;
  let pieces = 0;
  for (let entry = 0, at = 8; entry < entries; entry++, at += width) {
    if (at + width > list.byteLength) return Number.POSITIVE_INFINITY;
    const duration = isLong ? Number(list.getBigUint64(at)) : list.getUint32(at);
    const isPause = (isLong ? Number(list.getBigInt64(at + 8)) : list.getInt32(at + 4)) === -1;
    if (!isPause && duration === 0) return Number.POSITIVE_INFINITY;
    end += duration;
    pieces += isPause ? 0 : 1;
  }
  return pieces === 1 ? end : Number.POSITIVE_INFINITY;
}

interface Box {
  type: string;
  /** Of its content. */
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

  /** Its first bytes, up to `most`. */
  async head({ start, end }: Box, most: number): Promise<DataView> {
    return viewOf(await this.read(start, Math.min(most, end - start)));
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** In seconds: lists and frames are timed in scales of their own, of a thousandth at the coarsest. */
const ROUNDING = 0.0015;

/** Whether a frame that begins then is shown; `end` is undefined where its track has no edit list, and then each is. */
export const isShownAt = (second: number, end: number | undefined): boolean =>
  end === undefined || (second > -ROUNDING && second < lastShownBefore(end));

/** No frame that begins after this is shown by a list that ends then. */
export const lastShownBefore = (end: number): number => end - ROUNDING;
